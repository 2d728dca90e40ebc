//! What is meant by wrong names, and what nobody can tell; and the rules that hold for all names.

use proptest::prelude::*;

use super::{find_best, find_best_column, vocabulary};

/// Table, its columns, the wrong name, what is suggested, whether it is clear.
type Case = (&'static str, &'static str, &'static str, &'static str, bool);

const ORDERS: &str =
    "id order_date customer_id order_status total_amount ship_city currency notes created_at updated_at";
const STAFF: &str = "EMP_ID FIRST_NAME LAST_NAME DEPT_CD SALARY HIRE_DT MGR_ID PHONE_NO EMAIL";
const PRODUCTS: &str = "sku name unit_price qty_on_hand category weight_kg description supplierName is_active";
const LINES: &str = "l_orderkey l_partkey l_quantity l_extendedprice l_shipdate l_returnflag";
const SERIES: &str = "q1_sales q2_sales q3_sales address1 address2 max_temp min_temp";
const PEOPLE: &str = "P_ID P_NAME P_AGE street_address birth_date mail";

const CASES: &[Case] = &[
    // Layout: case, underscores, hyphens, camel case.
    ("staff", STAFF, "emp_id", "EMP_ID", true),
    ("staff", STAFF, "FirstName", "FIRST_NAME", true),
    ("staff", STAFF, "lastname", "LAST_NAME", true),
    ("staff", STAFF, "dept-cd", "DEPT_CD", true),
    ("products", PRODUCTS, "supplier_name", "supplierName", true),
    ("orders", ORDERS, "createdAt", "created_at", true),
    ("orders", ORDERS, "Order Date", "order_date", true),
    // Singular and plural.
    ("orders", ORDERS, "note", "notes", true),
    ("orders", ORDERS, "total_amounts", "total_amount", true),
    ("products", PRODUCTS, "categories", "category", true),
    ("", "city person box", "cities", "city", true),
    ("", "city person box", "people", "person", true),
    ("", "city person box", "boxes", "box", true),
    // Slips of the hand.
    ("orders", ORDERS, "curency", "currency", true),
    ("orders", ORDERS, "currrency", "currency", true),
    ("orders", ORDERS, "cutrency", "currency", true),
    ("orders", ORDERS, "total_amuont", "total_amount", true),
    ("orders", ORDERS, "custommer_id", "customer_id", true),
    ("orders", ORDERS, "updatd_at", "updated_at", true),
    ("orders", ORDERS, "creatde_at", "created_at", true),
    ("staff", STAFF, "SALRY", "SALARY", true),
    ("staff", STAFF, "SLAARY", "SALARY", true),
    ("staff", STAFF, "EMIAL", "EMAIL", true),
    ("people", PEOPLE, "P_AEG", "P_AGE", true),
    ("people", PEOPLE, "P_NMAE", "P_NAME", true),
    ("people", PEOPLE, "P_GAE", "P_AGE", true),
    ("products", PRODUCTS, "descritpion", "description", true),
    ("products", PRODUCTS, "desription", "description", true),
    ("products", PRODUCTS, "wieght_kg", "weight_kg", true),
    ("products", PRODUCTS, "unitprcie", "unit_price", true),
    ("lineitem", LINES, "l_quantiy", "l_quantity", true),
    ("lineitem", LINES, "l_shpidate", "l_shipdate", true),
    // Short forms, both ways.
    ("staff", STAFF, "EMPLOYEE_ID", "EMP_ID", true),
    ("staff", STAFF, "DEPARTMENT_CODE", "DEPT_CD", true),
    ("staff", STAFF, "HIRE_DATE", "HIRE_DT", true),
    ("staff", STAFF, "MANAGER_ID", "MGR_ID", true),
    ("staff", STAFF, "PHONE_NUMBER", "PHONE_NO", true),
    ("staff", STAFF, "PHONE_NUM", "PHONE_NO", true),
    ("staff", STAFF, "SAL", "SALARY", true),
    ("staff", STAFF, "fname", "FIRST_NAME", true),
    ("staff", STAFF, "surname", "LAST_NAME", true),
    ("orders", ORDERS, "total_amt", "total_amount", true),
    ("orders", ORDERS, "cust_id", "customer_id", true),
    ("orders", ORDERS, "ord_dt", "order_date", true),
    ("orders", ORDERS, "tot_amt", "total_amount", true),
    ("products", PRODUCTS, "desc", "description", true),
    ("products", PRODUCTS, "quantity_on_hand", "qty_on_hand", true),
    ("products", PRODUCTS, "wt_kg", "weight_kg", true),
    ("products", PRODUCTS, "unit_prc", "unit_price", true),
    ("people", PEOPLE, "street_addr", "street_address", true),
    ("people", PEOPLE, "dob", "birth_date", true),
    ("lineitem", LINES, "l_qty", "l_quantity", true),
    ("", "warehouse_id mngr", "manager", "mngr", true),
    // Words in another order.
    ("staff", STAFF, "NAME_FIRST", "FIRST_NAME", true),
    ("orders", ORDERS, "date_order", "order_date", true),
    ("orders", ORDERS, "amount_total", "total_amount", true),
    ("products", PRODUCTS, "price_unit", "unit_price", true),
    ("people", PEOPLE, "date_of_birth", "birth_date", true),
    ("people", PEOPLE, "addressStreet", "street_address", true),
    // The table's name in front, or gone.
    ("orders", ORDERS, "status", "order_status", true),
    ("orders", ORDERS, "order_id", "id", true),
    ("orders", ORDERS, "order_currency", "currency", true),
    ("orders", ORDERS, "ord_notes", "notes", true),
    ("products", PRODUCTS, "product_name", "name", true),
    ("products", PRODUCTS, "prod_category", "category", true),
    ("reviews", "review_id body stars", "review_body", "body", true),
    ("people", PEOPLE, "age", "P_AGE", true),
    ("people", PEOPLE, "name", "P_NAME", true),
    ("people", PEOPLE, "person_name", "P_NAME", true),
    ("lineitem", LINES, "shipdate", "l_shipdate", true),
    ("order_items", "id sku item_count", "order_item_sku", "sku", true),
    // The same name in another table is not the table's.
    ("reviews", "name body", "product_name", "name", false),
    ("tickets", "status body", "order_status", "status", false),
    // Words for the same thing.
    ("staff", STAFF, "PAY", "SALARY", true),
    ("staff", STAFF, "WAGE", "SALARY", true),
    ("orders", ORDERS, "ship_town", "ship_city", true),
    ("orders", ORDERS, "client_id", "customer_id", true),
    ("orders", ORDERS, "modified_at", "updated_at", true),
    ("people", PEOPLE, "email", "mail", true),
    ("products", PRODUCTS, "vendor_name", "supplierName", true),
    ("products", PRODUCTS, "active", "is_active", true),
    // Near things, which may both be there.
    ("products", PRODUCTS, "unit_cost", "unit_price", false),
    ("products", PRODUCTS, "summary", "description", false),
    // A sibling fits as well, or a whole word is another.
    ("orders", ORDERS, "created_by", "created_at", false),
    ("orders", "created_at updated_at", "created_by", "created_at", false),
    ("orders", "created_at created_by", "created_a", "created_at", false),
    ("orders", "created_at created_by", "created_ay", "created_at", false),
    ("", "start_date end_date", "start_rate", "start_date", false),
    ("weather", SERIES, "q4_sales", "q1_sales", false),
    ("weather", SERIES, "address3", "address1", false),
    ("weather", SERIES, "address", "address1", false),
    ("weather", SERIES, "avg_temp", "", false),
    ("weather", "max_temp wind", "min_temp", "max_temp", false),
    ("", "AGE Age", "age", "AGE", false),
    ("", "salary wage", "pay", "salary", false),
    ("", "order_no order_nbr", "order_number", "order_nbr", false),
    ("shifts", "pay_day day", "pay", "pay_day", false),
    ("", "orders customers", "order_lines", "", false),
    ("", "quality", "quantity", "quality", false),
    ("", "county", "country", "county", false),
    ("", "employer_id", "employee_id", "employer_id", false),
    ("people", "P_AGE P_NAME", "Q_AGE", "P_AGE", false),
    // Nothing fits.
    ("staff", STAFF, "SHOE_SIZE", "", false),
    ("staff", STAFF, "NAME", "", false),
    ("orders", ORDERS, "order", "", false),
    ("orders", ORDERS, "discount", "", false),
    ("orders", ORDERS, "warehouse", "", false),
    ("products", PRODUCTS, "colour", "", false),
    ("", "y", "x", "", false),
    ("", "", "anything", "", false),
];

fn split_columns<'a>(table: &'a str, columns: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    columns.split(' ').filter(|column| !column.is_empty()).map(move |column| (column, table))
}

#[test]
fn what_is_meant() {
    assert!(CASES.len() >= 80, "{}", CASES.len());
    let mut wrong = Vec::new();
    for (table, names, word, expected, clear) in CASES {
        let found = find_best_column(word, split_columns(table, names));
        let wanted = (!expected.is_empty()).then(|| ((*expected).to_owned(), *clear));
        if found != wanted {
            wrong.push(format!("{table}({names}): `{word}` gives {found:?}, not {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
}

#[test]
fn a_column_of_two_tables_is_compared_with_each() {
    let both = [("name", "customers"), ("name", "products"), ("id", "customers")];
    assert_eq!(find_best_column("product_name", both), Some(("name".to_owned(), true)));
    assert_eq!(find_best_column("customer_id", both), Some(("id".to_owned(), true)));
}

/// A name of one to three words.
fn generate_names() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[a-zA-Z]{1,7}(_[a-z]{1,7}|[0-9]){0,2}").expect("a pattern")
}

/// Makes one slip: drops, doubles, replaces or swaps.
fn make_slip(word: &str, kind: u8, at: usize, letter: char) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = at % letters.len();
    match kind {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letter),
        2 => letters[at] = letter,
        _ => letters.swap(at, (at + 1) % word.len().max(1)),
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// The word itself is never suggested, and what is suggested is one of the candidates.
    #[test]
    fn a_candidate_and_never_the_word(word in generate_names(), mut candidates in prop::collection::vec(generate_names(), 0..8)) {
        candidates.push(word.clone());
        if let Some((found, _)) = find_best(&word, candidates.iter().map(String::as_str)) {
            prop_assert_ne!(&found, &word);
            prop_assert!(candidates.contains(&found));
        }
    }

    /// The order in which candidates are declared makes no difference, nor do repetitions.
    #[test]
    fn order_does_not_matter(
        word in generate_names(),
        (candidates, shuffled) in prop::collection::vec((generate_names(), prop::sample::select(vec!["", "orders", "people"])), 1..8)
            .prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
    ) {
        let pairs = |all: &[(String, &'static str)]| all.iter().map(|(name, table)| (name.clone(), *table)).collect::<Vec<_>>();
        let (there, other) = (pairs(&candidates), pairs(&shuffled));
        let found = find_best_column(&word, there.iter().map(|(name, table)| (name.as_str(), *table)));
        let again = find_best_column(&word, other.iter().chain(&other).map(|(name, table)| (name.as_str(), *table)));
        prop_assert_eq!(&found, &again);
    }

    /// One slip in a word of five letters or more is found and clear, where nothing else is near and the slip is no word of its own.
    #[test]
    fn one_slip_is_found_and_clear(
        meant in "[a-z]{5,12}",
        before in prop::sample::select(vec!["", "total_", "ship_", "x_"]),
        kind in 0u8..4,
        at in 0usize..12,
        letter in prop::char::range('a', 'z'),
    ) {
        let wrong = make_slip(&meant, kind, if kind == 3 { at % (meant.len() - 1) } else { at }, letter);
        prop_assume!(wrong != meant && !(vocabulary::is_known(&wrong) && vocabulary::is_known(&meant)));
        let (meant, wrong) = (format!("{before}{meant}"), format!("{before}{wrong}"));
        let far = ["KK", "77_YY_99", "_"];
        let found = find_best(&wrong, far.into_iter().chain([meant.as_str()]));
        prop_assert_eq!(found, Some((meant.clone(), true)));
    }

    /// What is clear stays what it is, or becomes doubtful, when a name is added that is far from it.
    #[test]
    fn more_names_never_make_a_doubtful_one_clear(word in generate_names(), candidates in prop::collection::vec(generate_names(), 1..5), more in generate_names()) {
        let few = find_best(&word, candidates.iter().map(String::as_str));
        let many = find_best(&word, candidates.iter().chain([&more]).map(String::as_str));
        if let (Some((near, false)), Some((found, true))) = (&few, &many) {
            prop_assert_ne!(near, found);
        }
    }
}
