//! Lines held by hand-written text: they are read by others, so a change of one byte must be meant.

use std::sync::Arc;

use model::answer_key::{Answer, Subject};
use model::suite::{Lake, LakeFile, LakeId, Matcher, Options, SuiteInfo, Within};
use model::{Decimal, TiVec, Value};

use super::*;
use crate::generate::{Portion, SandboxFile};

fn build_plan(lakes: TiVec<LakeId, Arc<Lake>>) -> Plan {
    let suite = SuiteInfo { name: "past".into(), version: "1.0.0".into(), ..SuiteInfo::default() };
    Plan { edition: 1, suite, domains: TiVec::new(), lakes, tasks: Vec::new(), ..Plan::default() }
}

fn build_instance() -> Instance {
    Instance {
        id: "q301-50-reply-3".into(),
        files_id: "q301-50-3".into(),
        task: "q301".into(),
        variant: Some("reply".into()),
        axis: vec![("size".into(), "50".into(), Value::Int(50))],
        sample: 3,
        draws: vec![
            ("dir".into(), Value::from_text("har\"bor")),
            ("cost".into(), Value::Decimal(Decimal::new(1250, 2).expect("fits"))),
        ],
        prompt: "Summarise harbor/crm.csv\nas JSON".into(),
        files: Arc::new(vec![SandboxFile { path: "harbor/crm \"x\".csv".into(), bytes: b"a,b\n".to_vec().into() }]),
        folders: vec!["out".into()],
        expects: vec![Expected {
            name: None,
            at: None,
            subject: Subject::File("cust.json".into()),
            matcher: Matcher::Json,
            answer: Some(Answer::One(Value::Object(vec![
                ("n".into(), Value::Int(75)),
                ("avg".into(), Value::Float(43.5)),
            ]))),
            options: vec![(
                "/avg".into(),
                Options { within: Some(Within::Absolute(Decimal::new(1, 2).expect("fits"))), ..Options::default() },
            )],
            weight: Decimal::from_int(1),
            gate: false,
            database: None,
            among: None,
            read: model::answer_key::Read::default(),
            columns: Vec::new(),
            tests: Default::default(),
            traps: Vec::new(),
            span: (),
        }],
        tags: vec!["csv".into()],
        ..Instance::default()
    }
}

fn record_lines(instance: &Instance, split: bool, files: FilesAs<'_>) -> (String, String) {
    let (mut out, mut keys) = (Vec::new(), Vec::new());
    let lakes = instance.lakes.iter().map(|handed| Arc::clone(&handed.lake)).collect();
    let recorder = Recorder { split_keys: split, ..Recorder::new(&build_plan(lakes)) };
    recorder.record_instance(&mut out, &mut keys, instance, files);
    for line in [&out, &keys] {
        assert!(line.is_empty() || serde_json::from_slice::<serde_json::Value>(line).is_ok());
    }
    (String::from_utf8(out).expect("UTF-8"), String::from_utf8(keys).expect("UTF-8"))
}

#[test]
fn a_line() {
    let (line, keys) = record_lines(&build_instance(), false, FilesAs::Below("files/q301-50-3"));
    assert_eq!(keys, "");
    assert_eq!(
        line,
        concat!(
            r#"{"id":"q301-50-reply-3","input":"Summarise harbor/crm.csv\nas JSON","target":"{\"n\":75,\"avg\":43.5}","#,
            r#""files":{"harbor/crm \"x\".csv":"files/q301-50-3/harbor/crm \"x\".csv"},"#,
            r#""metadata":{"picard":{"schema":1,"scorer":3,"suite":"past","version":"1.0.0","task":"q301","variant":"reply","#,
            r#""axis":{"size":50},"sample":3,"attempt":0,"draws":{"dir":"har\"bor","cost":{"decimal":"12.50"}},"folders":["out"],"#,
            r#""expect":[{"subject":{"file":"cust.json"},"match":"json","value":{"n":75,"avg":43.5},"#,
            r#""options":{"/avg":{"within":"0.01"}},"weight":1}],"tags":["csv"],"canary":null}}}"#,
            "\n"
        )
    );
}

#[test]
fn split_keys_take_every_answer_out_of_the_line() {
    let (line, keys) = record_lines(&build_instance(), true, FilesAs::Inline(&BTreeMap::new()));
    assert_eq!(
        line,
        concat!(
            r#"{"id":"q301-50-reply-3","input":"Summarise harbor/crm.csv\nas JSON","#,
            r#""files":{"harbor/crm \"x\".csv":"data:text/csv;base64,YSxiCg=="},"#,
            r#""metadata":{"picard":{"schema":1,"scorer":3,"suite":"past","version":"1.0.0","task":"q301","variant":"reply","#,
            r#""axis":{"size":50},"sample":3,"attempt":0,"folders":["out"],"tags":["csv"],"canary":null}}}"#,
            "\n"
        )
    );
    assert_eq!(
        keys,
        concat!(
            r#"{"id":"q301-50-reply-3","target":"{\"n\":75,\"avg\":43.5}","expect":[{"subject":{"file":"cust.json"},"match":"json","#,
            r#""value":{"n":75,"avg":43.5},"options":{"/avg":{"within":"0.01"}},"weight":1}],"#,
            r#""draws":{"dir":"har\"bor","cost":{"decimal":"12.50"}}}"#,
            "\n"
        )
    );
}

#[test]
fn files_of_a_lake_lie_once_in_the_bundle() {
    let file = |path: &str| LakeFile { path: path.into(), size: 2, sha256: None };
    let lake = Arc::new(Lake {
        name: "ftc".into(),
        at: "ftc".into(),
        from: "data/ftc".into(),
        files: vec![file("a.csv"), file("b/c.csv"), file("d.csv")],
        ..Lake::default()
    });
    let given = |files: &[u32], portion| {
        let handed = HandedOut { lake: Arc::clone(&lake), files: files.to_vec(), portion };
        let instance = Instance { lakes: vec![handed], ..build_instance() };
        let (line, _) = record_lines(&instance, false, FilesAs::Below("files/q301-50-3"));
        let json: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        (json["files"].to_string(), json["metadata"]["picard"]["lakes"].to_string(), instance, line)
    };
    let (files, lakes, instance, line) = given(&[0, 1, 2], Portion::All);
    assert_eq!(
        files,
        concat!(
            r#"{"harbor/crm \"x\".csv":"files/q301-50-3/harbor/crm \"x\".csv","ftc/a.csv":"static/data/ftc/a.csv","#,
            r#""ftc/b/c.csv":"static/data/ftc/b/c.csv","ftc/d.csv":"static/data/ftc/d.csv"}"#
        )
    );
    assert_eq!(lakes, r#"[{"name":"ftc","at":"ftc","files":"all"}]"#);
    assert!(
        line.contains(r#"{"picard":{"schema":2,"#) && line.contains(r#""folders":["out"],"lakes":[{"name""#),
        "{line}"
    );
    assert_eq!(given(&[1], Portion::Needed).1, r#"[{"name":"ftc","at":"ftc","files":"needed"}]"#);
    assert_eq!(given(&[1, 2], Portion::NeededAnd(1)).1, r#"[{"name":"ftc","at":"ftc","files":{"needed":1}}]"#);

    let contents =
        ["data/ftc/a.csv", "data/ftc/b/c.csv", "data/ftc/d.csv"].map(|path| (path.into(), b"x\n"[..].into()));
    let (line, _) = record_lines(&instance, false, FilesAs::Inline(&contents.into()));
    assert!(line.contains(r#""ftc/b/c.csv":"data:text/csv;base64,eAo=""#), "{line}");
}
