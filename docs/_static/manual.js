// The manual was one page: a link to a heading of it leads to the page that has it now.
if (/\/manual(\.html)?$/.test(location.pathname) && location.hash) {
  const link = document.querySelector(`article a[href$="${location.hash}"], article a[href$="/${location.hash.slice(1)}.html"]`);
  if (link) location.replace(link.href);
}
