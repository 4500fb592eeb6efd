//! Which particle continues which: a product may be one of the reactants in a new state.

use super::case::Case;
use crate::sites::SiteChange;
use crate::species::Species;

/// A product of a reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Its species.
    pub species: u16,
    /// The reactant (0 or 1) whose place and identity it takes over, if any.
    pub continues: Option<u8>,
    /// Whether that is of the same declared species, in another state perhaps.
    pub kin: bool,
    /// How its sites differ from those of the one that it continues.
    pub change: SiteChange,
}

fn kin(species: &[Species], a: u16, b: u16) -> bool {
    species[a as usize].declared_name() == species[b as usize].declared_name()
}

/// The products of a conversion: each continues a reactant of its own declared species; those left
/// over continue the reactants left over, in their order.
pub(super) fn of_conversion<const N: usize>(case: &Case<N>, species: &[Species]) -> Vec<Product> {
    let reactants = &case.species;
    let mut free = [true; N];
    let product =
        |(n, &species)| Product { species, continues: None, kin: false, change: case.change(n) };
    let mut made: Vec<Product> = case.products.iter().enumerate().map(product).collect();
    for product in &mut made {
        let found = (0..N).find(|&n| free[n] && kin(species, reactants[n], product.species));
        if let Some(n) = found {
            free[n] = false;
            *product = Product { continues: Some(n as u8), kin: true, ..*product };
        }
    }
    for product in made.iter_mut().filter(|product| product.continues.is_none()) {
        if let Some(n) = free.iter().position(|&free| free) {
            free[n] = false;
            product.continues = Some(n as u8);
        }
    }
    made
}

/// The product of a coalescence: it continues a reactant if that, and only that, is of its own
/// declared species; else it is a particle new.
pub(super) fn of_coalescence(case: &Case<2>, species: &[Species]) -> Vec<Product> {
    let product = |(n, &product): (usize, &u16)| {
        let host = match case.species.map(|reactant| kin(species, reactant, product)) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        };
        Product { species: product, continues: host, kin: host.is_some(), change: case.change(n) }
    };
    case.products.iter().enumerate().map(product).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn species(names: &[&str]) -> Vec<Species> {
        let kind = |name: &&str| Species::sphere(*name, 1.0, 1.0);
        names.iter().map(kind).collect()
    }

    #[test]
    fn states_of_one_species_continue_each_other() {
        let all = species(&["EGF", "EGFR{free}", "EGFR{bound}", "X"]);
        fn heirs<const N: usize>(
            all: &[Species],
            reactants: [u16; N],
            products: &[u16],
        ) -> Vec<Option<u8>> {
            let made = of_conversion(&Case::new(reactants, products), all);
            made.iter().map(|product| product.continues).collect()
        }
        let continues = |reactants, products: &[u16]| heirs::<2>(&all, reactants, products);
        assert_eq!(continues([0, 1], &[2]), [Some(1)]);
        assert_eq!(heirs(&all, [2], &[0, 1]), [None, Some(0)]);
        // Templating: the one stays what it is, the other becomes like it.
        assert_eq!(continues([0, 3], &[3, 3]), [Some(1), Some(0)]);
        assert_eq!(continues([0, 0], &[3]), [Some(0)]);
        let host = |reactants, product| {
            of_coalescence(&Case::new(reactants, &[product]), &all)[0].continues
        };
        assert_eq!(host([0, 1], 2), Some(1));
        assert_eq!(host([1, 1], 2), None);
        assert_eq!(host([0, 0], 3), None);
    }
}
