//! Sums of products of atoms.

use std::collections::BTreeMap;

use super::ratio::Ratio;

/// The maximum number of products of a sum.
const MAX_PRODUCTS: usize = 24;

/// The maximum number of factors of a product.
const MAX_FACTORS: usize = 4;

/// A sum of products: the factor of each product, by the indexes of its atoms in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sum {
    products: BTreeMap<Vec<usize>, Ratio>,
}

impl Sum {
    pub fn from_number(number: Ratio) -> Sum {
        let products = [(Vec::new(), number)].into_iter().filter(|(_, number)| !number.is_zero());
        Sum { products: products.collect() }
    }

    pub fn from_atom(atom: usize) -> Sum {
        Sum { products: BTreeMap::from([(vec![atom], Ratio::ONE)]) }
    }

    /// Its value, if it has no atoms.
    pub fn as_number(&self) -> Option<Ratio> {
        match self.products.len() {
            0 => Ratio::new(0, 1),
            1 => self.products.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Its products: the indexes of their atoms, and their factors.
    pub fn products(&self) -> impl Iterator<Item = (&[usize], Ratio)> {
        self.products.iter().map(|(atoms, factor)| (atoms.as_slice(), *factor))
    }

    /// The sum without one of its products.
    pub fn without(mut self, atoms: &[usize]) -> Sum {
        self.products.remove(atoms);
        self
    }

    pub fn add(&self, other: &Sum) -> Option<Sum> {
        let mut products = self.products.clone();
        for (atoms, factor) in &other.products {
            let sum = match products.get(atoms) {
                Some(known) => known.add(*factor)?,
                None => *factor,
            };
            products.insert(atoms.clone(), sum);
        }
        products.retain(|_, factor| !factor.is_zero());
        (products.len() <= MAX_PRODUCTS).then_some(Sum { products })
    }

    pub fn negate(&self) -> Sum {
        Sum { products: self.products.iter().map(|(atoms, factor)| (atoms.clone(), factor.negate())).collect() }
    }

    pub fn subtract(&self, other: &Sum) -> Option<Sum> {
        self.add(&other.negate())
    }

    pub fn multiply(&self, other: &Sum) -> Option<Sum> {
        let mut all = Sum::default();
        for (atoms, factor) in &self.products {
            let mut products = BTreeMap::new();
            for (others, by) in &other.products {
                let mut both: Vec<usize> = atoms.iter().chain(others).copied().collect();
                both.sort_unstable();
                if both.len() > MAX_FACTORS {
                    return None;
                }
                products.insert(both, factor.multiply(*by)?);
            }
            all = all.add(&Sum { products })?;
        }
        Some(all)
    }

    /// The atoms in it.
    pub fn list_atoms(&self) -> Vec<usize> {
        let mut atoms: Vec<usize> = self.products.keys().flatten().copied().collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Its parts `factor * atom + rest`. `None` if the atom is multiplied with itself.
    pub fn split_off(&self, atom: usize) -> Option<(Sum, Sum)> {
        let (mut factor, mut rest) = (Sum::default(), Sum::default());
        for (atoms, number) in &self.products {
            match atoms.iter().filter(|other| **other == atom).count() {
                0 => rest.products.insert(atoms.clone(), *number),
                1 => {
                    let others = atoms.iter().copied().filter(|other| *other != atom).collect();
                    factor.products.insert(others, *number)
                }
                _ => return None,
            };
        }
        Some((factor, rest))
    }
}
