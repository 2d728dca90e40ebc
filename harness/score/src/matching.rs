//! Maximum matching: finds the largest set of matching pairs in which each item occurs at most once (Hopcroft and Karp 1973, E·√V).

use std::collections::VecDeque;

/// The maximum number of comparisons of one matching; for more, [`match_pairs`] compares items by position only.
pub const MAX_PAIRS: usize = 4_000_000;

/// Finds a partner for each of `left` items among `right` ones, by a maximum matching over `fits`.
pub fn match_pairs(left: usize, right: usize, fits: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    if left.saturating_mul(right) > MAX_PAIRS {
        return (0..left).map(|at| (at < right && fits(at, at)).then_some(at)).collect();
    }
    match_edges((0..left).map(|a| (0..right).filter(|b| fits(a, *b)).collect()).collect(), right)
}

/// Finds a partner for each item on the left among `right` ones, by a maximum matching over `edges`.
pub fn match_edges(edges: Vec<Vec<usize>>, right: usize) -> Vec<Option<usize>> {
    let left = edges.len();
    let mut matching = Matching { edges, left: vec![None; left], right: vec![None; right], layer: vec![None; left] };
    while matching.build_layers() {
        // In each phase, an item's edges are tried once.
        let mut next = vec![0; left];
        for start in 0..left {
            if matching.left[start].is_none() {
                matching.augment_path(start, &mut next);
            }
        }
    }
    matching.left
}

/// Returns which of `right` items have no partner.
pub fn list_unmatched(partners: &[Option<usize>], right: usize) -> impl Iterator<Item = usize> {
    let mut is_used = vec![false; right];
    partners.iter().flatten().for_each(|at| is_used[*at] = true);
    (0..right).filter(move |at| !is_used[*at])
}

struct Matching {
    edges: Vec<Vec<usize>>,
    left: Vec<Option<usize>>,
    right: Vec<Option<usize>>,
    /// The distance from a free item on the left; `None` if it was not reached.
    layer: Vec<Option<usize>>,
}

impl Matching {
    /// Searches breadth first from all free items. Returns whether a free item on the right was reached.
    fn build_layers(&mut self) -> bool {
        self.layer.fill(None);
        let mut queue: VecDeque<usize> = (0..self.left.len()).filter(|a| self.left[*a].is_none()).collect();
        for a in &queue {
            self.layer[*a] = Some(0);
        }
        let mut reached = false;
        while let Some(a) = queue.pop_front() {
            for b in &self.edges[a] {
                match self.right[*b] {
                    None => reached = true,
                    Some(other) if self.layer[other].is_none() => {
                        self.layer[other] = self.layer[a].map(|layer| layer + 1);
                        queue.push_back(other);
                    }
                    Some(_) => {}
                }
            }
        }
        reached
    }

    /// Searches depth first along the layers, without recursion, and reverses the path if it finds one.
    fn augment_path(&mut self, start: usize, next: &mut [usize]) {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut at = start;
        loop {
            let Some(&b) = self.edges[at].get(next[at]) else {
                // A dead end: goes back, and tries the next edge there.
                self.layer[at] = None;
                let Some((before, _)) = path.pop() else { return };
                at = before;
                continue;
            };
            next[at] += 1;
            match self.right[b] {
                None => {
                    path.push((at, b));
                    for (a, b) in path {
                        self.left[a] = Some(b);
                        self.right[b] = Some(a);
                    }
                    return;
                }
                Some(other)
                    if self.layer[other].is_some() && self.layer[other] == self.layer[at].map(|layer| layer + 1) =>
                {
                    path.push((at, b));
                    at = other;
                }
                Some(_) => {}
            }
        }
    }
}

/// Finds the longest common subsequence as pairs of positions. Beyond [`MAX_PAIRS`], only the equal items at both ends are paired.
pub fn find_common_subsequence(left: usize, right: usize, fits: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    // Equal items at both ends need no table.
    let front = (0..left.min(right)).take_while(|at| fits(*at, *at)).count();
    let back = (1..=left.min(right) - front).take_while(|at| fits(left - at, right - at)).count();
    let (rows, columns) = (left - front - back, right - front - back);
    let mut out: Vec<(usize, usize)> = (0..front).map(|at| (at, at)).collect();
    if rows.saturating_mul(columns) <= MAX_PAIRS {
        let width = columns + 1;
        let mut longest = vec![0u32; (rows + 1) * width];
        let fit: Vec<bool> = (0..rows * columns).map(|at| fits(front + at / columns, front + at % columns)).collect();
        for a in (0..rows).rev() {
            for b in (0..columns).rev() {
                longest[a * width + b] = if fit[a * columns + b] {
                    longest[(a + 1) * width + b + 1] + 1
                } else {
                    longest[(a + 1) * width + b].max(longest[a * width + b + 1])
                };
            }
        }
        let (mut a, mut b) = (0, 0);
        while a < rows && b < columns {
            if fit[a * columns + b] {
                out.push((front + a, front + b));
                (a, b) = (a + 1, b + 1);
            } else if longest[(a + 1) * width + b] >= longest[a * width + b + 1] {
                a += 1;
            } else {
                b += 1;
            }
        }
    }
    out.extend((1..=back).rev().map(|at| (left - at, right - at)));
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By trying everything.
    fn most(edges: &[Vec<bool>], from: usize, used: &mut Vec<bool>) -> usize {
        let Some(row) = edges.get(from) else { return 0 };
        let mut best = most(edges, from + 1, used);
        for (b, fits) in row.iter().enumerate() {
            if *fits && !used[b] {
                used[b] = true;
                best = best.max(1 + most(edges, from + 1, used));
                used[b] = false;
            }
        }
        best
    }

    fn longest(edges: &[Vec<bool>], a: usize, b: usize, width: usize) -> usize {
        if a == edges.len() || b == width {
            return 0;
        }
        let skip = longest(edges, a + 1, b, width).max(longest(edges, a, b + 1, width));
        if edges[a][b] { skip.max(1 + longest(edges, a + 1, b + 1, width)) } else { skip }
    }

    proptest! {
        #[test]
        fn as_many_pairs_as_trying_everything_finds(
            edges in (0usize..7, 0usize..7).prop_flat_map(|(a, b)| prop::collection::vec(prop::collection::vec(any::<bool>(), b), a))
        ) {
            let width = edges.first().map_or(0, Vec::len);
            let found = match_pairs(edges.len(), width, |a, b| edges[a][b]);
            let mut seen = vec![false; width];
            for (a, b) in found.iter().enumerate() {
                if let Some(b) = b {
                    prop_assert!(edges[a][*b] && !std::mem::replace(&mut seen[*b], true));
                }
            }
            prop_assert_eq!(found.iter().flatten().count(), most(&edges, 0, &mut vec![false; width]));
        }

        /// Of a relation like equality the subsequence is the longest.
        #[test]
        fn common_subsequences_are_the_longest(a in prop::collection::vec(0u8..4, 0..8), b in prop::collection::vec(0u8..4, 0..8)) {
            let edges: Vec<Vec<bool>> = a.iter().map(|a| b.iter().map(|b| a == b).collect()).collect();
            let found = find_common_subsequence(a.len(), b.len(), |x, y| a[x] == b[y]);
            prop_assert!(found.iter().all(|(x, y)| a[*x] == b[*y]));
            prop_assert!(found.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            prop_assert_eq!(found.len(), longest(&edges, 0, 0, b.len()));
        }
    }
}
