//! What is read from mesh files, and what is said about others.

use super::*;
use jostle_core::space::Mesh;

/// What is read from a file of these bytes.
fn from_bytes(name: &str, bytes: &[u8]) -> Result<Triangles, MeshFileError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    Ok(read_mesh(&path, [1.0; 3])?.0)
}

/// What is said about a file of these bytes, without the folder.
fn fault(name: &str, bytes: &[u8]) -> String {
    let said = from_bytes(name, bytes).expect_err("a fault").to_string();
    said[said.find(name).expect("the file's name")..].to_owned()
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/meshes").join(name)
}

fn mesh((vertices, facets): Triangles) -> Mesh<3> {
    Mesh::new(vertices, facets).unwrap_or_else(|error| panic!("{error}"))
}

const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// A tetrahedron as a binary STL file.
fn binary(heading: &str) -> Vec<u8> {
    let mut bytes = heading.as_bytes().to_vec();
    bytes.resize(80, 0);
    bytes.extend(4u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        face.iter().flat_map(|&k| CORNERS[k]).for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// A solid with some of its faces as ASCII STL.
fn ascii(heading: &str, faces: &[[usize; 3]]) -> String {
    let mut text = format!("{heading}\n");
    for face in faces {
        text += " facet normal 0 0 0\n  outer loop\n";
        face.iter().for_each(|&k| {
            text +=
                &format!("   vertex {:?} {:?} {:?}\n", CORNERS[k][0], CORNERS[k][1], CORNERS[k][2])
        });
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid\n"
}

#[test]
fn the_rod_and_the_cube_are_closed_and_have_the_right_size() {
    let rod = mesh(read_mesh(&data("rod.stl"), [2.0; 3]).unwrap().0);
    assert_eq!(rod.facets().len(), 24 * (2 + 2 * 11));
    let bounds = rod.bounds();
    assert_eq!(bounds, [Vector([-3.0, -1.0, -1.0]), Vector([3.0, 1.0, 1.0])]);
    let round = std::f64::consts::PI * (4.0 + 4.0 / 3.0);
    assert!(rod.volume() < round && rod.volume() > 0.97 * round, "{}", rod.volume());
    let cube = mesh(read_mesh(&data("cube.obj"), [0.5; 3]).unwrap().0);
    assert_eq!((cube.volume(), cube.surface(), cube.facets().len()), (0.125, 1.5, 12));
}

#[test]
fn binary_and_ascii_are_distinguished_by_what_they_hold() {
    let wanted = from_bytes("a.stl", &binary("a tetrahedron")).unwrap();
    assert!((mesh(wanted.clone()).volume() - 1.0 / 6.0).abs() < 1e-15);
    assert_eq!(wanted.0.len(), 4, "vertices are welded");
    for heading in ["solid of a program", "solid\nfacet"] {
        assert_eq!(from_bytes("a.STL", &binary(heading)).unwrap(), wanted, "{heading}");
    }
    let capitals = ascii("solid", &FACES).to_uppercase();
    assert_eq!(from_bytes("a.stl", capitals.as_bytes()).unwrap(), wanted, "SOLID");
    for heading in ["solid", "solid with a name", "  solid\r", "Solid"] {
        assert_eq!(
            from_bytes("a.stl", ascii(heading, &FACES).as_bytes()).unwrap(),
            wanted,
            "{heading}"
        );
    }
    let parts = format!("{}\n\n{}", ascii("solid lower", &FACES[..2]), ascii("solid", &FACES[2..]));
    assert_eq!(from_bytes("a.stl", parts.as_bytes()).unwrap(), wanted, "two solids");
}

#[test]
fn corners_that_differ_by_rounding_are_one() {
    // The corners of each face are computed separately, far from the origin, and rounded differently.
    let mut bytes = binary("a seam")[..84].to_vec();
    let ulp = 1000.0 * f32::EPSILON;
    for (n, face) in FACES.iter().enumerate() {
        bytes.extend([0; 12]);
        for &k in face {
            for (axis, x) in CORNERS[k].into_iter().enumerate() {
                let off = ((n + k + axis) % 3) as f32 - 1.0;
                bytes.extend((1000.0 + x + off * ulp).to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.stl");
    std::fs::write(&path, &bytes).unwrap();
    let (triangles, seams) = read_mesh(&path, [1.0, 2.0, 3.0]).unwrap();
    assert!(seams.vertices >= 4 && seams.farthest > 0.0, "{seams:?}");
    assert!(seams.farthest < 4.0 * f64::from(ulp), "{seams:?}");
    let volume = mesh(triangles).volume();
    assert!((volume - 1.0).abs() < 1e-2, "scaled along each axis: {volume}");
    // What is closed stays as it is, however fine it is.
    let (_, seams) = read_mesh(&data("rod.stl"), [1.0; 3]).unwrap();
    assert_eq!(seams, Seams::default());
    // A hole is none of this.
    let (_, seams) = {
        std::fs::write(&path, ascii("solid", &FACES[..3])).unwrap();
        read_mesh(&path, [1.0; 3]).unwrap()
    };
    assert_eq!(seams, Seams::default());
}

#[test]
fn zero_has_one_place_and_collapsed_triangles_are_left_out() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv -0 0 -0.0\nf 1 3 2\nf 5 2 4\nf 2 3 4\nf 3 5 4\nf 1 5 2\n";
    let (vertices, facets) = from_bytes("a.obj", text.as_bytes()).unwrap();
    assert_eq!((vertices.len(), facets.len()), (4, 4));
}

#[test]
fn obj_files_may_say_much_that_means_nothing_here() {
    let text = "# made by hand\r\nmtllib none.mtl\no one\nv 0 0 0 1.0\nv 1 0 0\nv 0 1 0 0.1 0.2 0.3\nvt 0 0\nvn 0 0 1\n\
                g side\nusemtl red\ns off\nf 1/1/1 3//1 2/1\nv 0 0 2 2\nf -4 2 -1\nl 1 2\ng other\nf 2 3 4\nf 3 1 4\n";
    let tetrahedron = mesh(from_bytes("a.obj", text.as_bytes()).unwrap());
    assert!((tetrahedron.volume() - 1.0 / 6.0).abs() < 1e-15);
}

#[test]
fn polygons_are_cut_where_a_corner_sees_all_others() {
    // The prism over an L, whose first corner does not see all others.
    let l = [(1, 1), (1, 2), (0, 2), (0, 0), (2, 0), (2, 1)];
    let mut text = String::new();
    (0..2).for_each(|z| l.iter().for_each(|(x, y)| text += &format!("v {x} {y} {z}\n")));
    text += "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n";
    (0..6).for_each(|k| {
        text += &format!("f {} {} {} {}\n", k + 1, (k + 1) % 6 + 1, (k + 1) % 6 + 7, k + 7)
    });
    let prism = mesh(from_bytes("a.obj", text.as_bytes()).unwrap());
    assert!((prism.volume() - 3.0).abs() < 1e-14 && prism.facets().len() == 20);
    let bow = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 2 0\nf 1 2 3 4\n";
    assert!(
        fault("a.obj", bow.as_bytes())
            .starts_with("a.obj:5: this face with 4 corners is bent or crosses")
    );
}

#[test]
fn bad_files_are_refused_with_their_line() {
    for (text, words) in [
        ("v 0 0 0\nv 1 0\n", "a.obj:2: a vertex must be `v x y z`"),
        ("v 0 0 0\nf 1 1 x\n", "a.obj:2: a face must be `f` and the numbers"),
        (
            "v 0 0 0\n\nf 1 1 2\nv 0 0 0\nf 1 1 3\n",
            "a.obj:5: this face refers to a vertex that does not exist; there are 2",
        ),
        ("v 0 0 0\nf 1 1 0\nv 0 0 0\n", "a.obj:2: this face refers to a vertex"),
        ("v 0 0 0\nf 1 1 -2\n", "a.obj:2: this face refers to a vertex"),
        ("v 0 0 0\nf 1 1\n", "a.obj:2: this face has 2 corners"),
        ("v 0 0 0\nf 1\n", "a.obj:2: this face has 1 corners"),
        ("v 0 0 0\nf\n", "a.obj:2: this face has 0 corners"),
    ] {
        let said = fault("a.obj", text.as_bytes());
        assert!(said.starts_with(words), "{said}: not {words}");
    }
    assert!(fault("a.obj", b"v 0 0 0\n\xff\n").starts_with("a.obj:2: this is not text"));
    let good = ascii("solid", &FACES);
    for (text, words) in [
        (good.replacen("vertex 0.0", "vertex 0,0", 1), "a.stl:4: invalid float"),
        (good.replacen("vertex 0.0", "vertex inf", 1), "a.stl:4: expected finite f32"),
        (good.replacen("endloop", "", 1), "a.stl:8: expected [\"endloop\"]"),
        (good.replace("endsolid", ""), "a.stl:30: EOF while expecting facet or endsolid"),
        (good.clone() + "\nmore\n", "a.stl:32: a `solid`, or the end of the file"),
        (good.replacen("normal", &"\u{1b}[31m".repeat(1000), 1), "a.stl:2: invalid facet header"),
    ] {
        let said = fault("a.stl", text.as_bytes());
        assert!(said.starts_with(words) && said.len() < 200, "{said}: not {words}");
    }
    assert!(
        fault("a.stl", b"solid\n\xff\n").starts_with("a.stl:2: stream did not contain valid UTF-8")
    );
}

#[test]
fn files_that_are_no_meshes_are_refused() {
    assert!(fault("a.ply", b"ply").ends_with("must end in `.stl` or `.obj`"));
    assert!(fault("a.stl", b"").contains("this is not an STL file: it has 0 bytes"));
    let absent = read_mesh(Path::new("/absent/a.stl"), [1.0; 3]).unwrap_err().to_string();
    assert!(absent.starts_with("/absent/a.stl: cannot be read: "), "{absent}");
    let mut boast = binary("boast");
    boast[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let said = fault("a.stl", &boast);
    assert!(
        said.contains("claims 4294967295 triangles, which take 214748364834 bytes, but it has 284"),
        "{said}"
    );
    assert!(fault("a.stl", &binary("cut")[..283]).contains("but it has 283"));
    // Nothing at all is no mesh, but that is for `Mesh::new` to say.
    assert_eq!(from_bytes("a.obj", b"").unwrap(), (vec![], vec![]));
}

/// Files with bytes changed, put in and left out are read or refused, and nothing else.
#[test]
fn damaged_files_do_no_harm() {
    let mut state = 1u32;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    let cube = std::fs::read(data("cube.obj")).unwrap();
    for (name, good) in
        [("a.stl", binary("b")), ("a.stl", ascii("solid", &FACES).into_bytes()), ("a.obj", cube)]
    {
        for _ in 0..2000 {
            let mut bytes = good.clone();
            for _ in 0..1 + random(4) {
                let at = random(bytes.len());
                match random(3) {
                    0 => bytes[at] = [random(256) as u8, b"-/ 19.e\nvfx"[random(11)]][random(2)],
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, b"-/ 19.e\nvfx"[random(11)]),
                }
            }
            if let Ok((vertices, facets)) = from_bytes(name, &bytes) {
                let _ = Mesh::new(vertices, facets);
            }
        }
    }
}
