use super::element::{Child, Element};
use super::form::Form;
use super::leaf::Leaf;
use super::{PathError, PathResult, json, xml};
use crate::types::{Ty, TyKind};
use model::Value;

fn build_services() -> Form {
    let service =
        |port: i64| Value::Object(vec![("name".into(), Value::from_text("a")), ("port".into(), Value::Int(port))]);
    Form::from_value(&Value::Object(vec![
        ("region".into(), Value::from_text("North")),
        ("services".into(), Value::List(vec![service(1), service(2)])),
        ("grid".into(), Value::List(vec![Value::List(vec![Value::Int(1)]), Value::List(vec![])])),
    ]))
}

fn follow_json(path: &str) -> Result<PathResult, PathError> {
    json::follow_path(path, &build_services())
}

#[test]
fn a_path_of_names_and_indexes_gives_one_node_of_a_known_type() {
    let found = follow_json("$.services[1].port").unwrap();
    assert_eq!((found.ty.kind, found.at_most_one, found.least), (TyKind::Int, true, 1));
    let all = follow_json("$.services[*].port").unwrap();
    assert_eq!((all.ty.kind, all.at_most_one, all.least), (TyKind::Int, false, 2));
    assert_eq!(follow_json("$.services").unwrap().members, Some((2, 2)));
    assert_eq!(follow_json("$").unwrap().members, Some((3, 3)));
    assert!(!follow_json("$.services").unwrap().scalars);
}

#[test]
fn a_path_that_can_match_nothing_is_told_where() {
    let wrong = |path: &str| {
        let misstep = follow_json(path).unwrap_err();
        (path[misstep.start..misstep.end].to_owned(), misstep.message)
    };
    assert_eq!(wrong("$.services[*].prot").0, "prot");
    assert_eq!(wrong("$.services[5].port").0, "5");
    assert_eq!(wrong("$.services.port").0, "port");
    assert_eq!(wrong("$.region.x").0, "x");
    assert_eq!(wrong("$.services[?@.prot > 1].name").0, "prot");
    assert_eq!(wrong("$..prot").0, "prot");
    assert_eq!(wrong("$['servces']").0, "'servces'");
    assert!(follow_json("$.services[?@.port >").unwrap_err().syntax);
}

#[test]
fn what_cannot_be_known_is_let_pass() {
    for path in [
        "$.services[?@.port > 1 && @.name == 'x]'].name",
        "$..port",
        "$.services[0:1].name",
        "$.grid[0][0]",
        "$.*",
        "$[?count(@.*) > 1]",
        // Below the root there are arrays whose elements have no port, and one whose have.
        "$..[?@.port > 1]",
    ] {
        assert!(follow_json(path).is_ok(), "{path}");
    }
    let maybe = follow_json("$.grid[0][0]").unwrap();
    assert_eq!((maybe.at_most_one, maybe.least), (true, 0));
}

fn build_feed(namespace: bool) -> Element {
    let int = Leaf::new(Ty::new(TyKind::Int));
    let leaf = |name: &str, ty: Ty| Element { name: name.into(), text: Some(Leaf::new(ty)), ..Element::default() };
    let item = Element {
        name: "item".into(),
        attributes: vec![("id".into(), int.clone())],
        children: vec![
            Child { element: leaf("price", Ty::new(TyKind::Decimal(Some(2)))), least: 1, most: 1 },
            Child { element: leaf("dc:title", Ty::new(TyKind::Text)), least: 1, most: 1 },
        ],
        ..Element::default()
    };
    let attributes = if namespace { vec![("xmlns".into(), Leaf::new(Ty::new(TyKind::Text)))] } else { vec![] };
    let children = vec![Child { element: item, least: 5, most: 5 }];
    Element { name: "feed".into(), attributes, children, ..Element::default() }
}

#[test]
fn an_xpath_is_followed_through_elements() {
    let root = build_feed(false);
    let found = |path: &str| xml::follow_path(path, Some(&root));
    let price = found("/feed/item[1]/price").unwrap();
    assert_eq!((price.ty.kind, price.at_most_one, price.least), (TyKind::Decimal(Some(2)), true, 1));
    let all = found("//item/@id").unwrap();
    assert_eq!((all.ty.kind, all.at_most_one), (TyKind::Int, false));
    assert_eq!(found("/feed/item").unwrap().least, 5);
    assert!(found("/feed/item[price > 10 and @id = '3']/dc:title").is_ok());
    assert!(found("/feed/item[last()]/price").unwrap().at_most_one);
    let wrong = |path: &str| {
        let misstep = found(path).unwrap_err();
        path[misstep.start..misstep.end].to_owned()
    };
    assert_eq!(wrong("/feed/itm/price"), "itm");
    assert_eq!(wrong("/feeds/item"), "feeds");
    assert_eq!(wrong("/feed/item/@no"), "no");
    assert_eq!(wrong("/feed/item[prise > 10]"), "prise");
    assert_eq!(wrong("/feed[2]/item"), "feed");
    assert!(found("/feed/item[").unwrap_err().syntax);
}

#[test]
fn a_name_without_prefix_matches_nothing_in_a_namespace() {
    let root = build_feed(true);
    let misstep = xml::follow_path("/feed/item", Some(&root)).unwrap_err();
    assert!(misstep.message.contains("namespace"), "{}", misstep.message);
    assert!(xml::follow_path("/*[local-name() = 'feed']", Some(&root)).is_ok());
}
