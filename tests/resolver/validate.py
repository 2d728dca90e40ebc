import json,sqlite3,sys
from collections import Counter
NEG={"sibling trap","near letters","absent concept","ambiguous","derived"}
bad=[];ids=set();out=[]
def load(f,n,tmin,tmax,cmin,cmax):
    d=json.load(open(f)); cols={}
    for s,ddl in d["schemas"].items():
        db=sqlite3.connect(":memory:"); db.execute("pragma foreign_keys=on"); db.executescript(ddl)
        ts=[r[0] for r in db.execute("select name from sqlite_master where type='table'")]
        cols[s]={t:[r[1] for r in db.execute(f'pragma table_info("{t}")')] for t in ts}
        if not tmin<=len(ts)<=tmax: bad.append((f,s,"tables",len(ts)))
        for t,c in cols[s].items():
            if not cmin<=len(c)<=cmax: bad.append((f,s,t,"columns",len(c)))
            for fk in db.execute(f'pragma foreign_key_list("{t}")'):
                if fk[2] not in cols[s] and fk[2] not in ts: bad.append((s,t,"fk",fk))
                elif fk[4] not in [r[1] for r in db.execute(f'pragma table_info("{fk[2]}")')]: bad.append((s,t,"fkcol",fk))
    R=d["records"]
    if len(R)!=n: bad.append((f,"records",len(R)))
    seen=set()
    for r in R:
        if list(r)!=["id","schema","table","name","gold","kind","why"]: bad.append((r["id"],"keys"))
        if r["id"] in ids: bad.append((r["id"],"dup id"))
        ids.add(r["id"]); c=cols[r["schema"]]
        k=(r["schema"],r["table"],r["name"].lower())
        if k in seen: bad.append((r["id"],"dup question"))
        seen.add(k)
        if r["table"] is not None and r["table"] not in c: bad.append((r["id"],"no table"))
        scope=[r["table"]] if r["table"] else list(c)
        if any(r["name"].lower()==x.lower() for t in scope for x in c[t]): bad.append((r["id"],"name exists"))
        if r["gold"] is not None:
            t,x=r["gold"].split(".")
            if x not in c.get(t,[]): bad.append((r["id"],"gold",r["gold"]))
            if r["table"] and t!=r["table"]: bad.append((r["id"],"gold elsewhere"))
            if r["kind"] in NEG: bad.append((r["id"],"kind"))
            # a gold named in several tables needs the table
            if r["table"] is None and sum(x.lower()==y.lower() for q in c.values() for y in q)>1: print("note: gold's name in several tables:",r["id"],r["gold"])
        elif r["kind"] not in NEG: bad.append((r["id"],"kind"))
        if not r["why"] or "\n" in r["why"]: bad.append((r["id"],"why"))
    p=Counter(r["kind"] for r in R if r["gold"]); q=Counter(r["kind"] for r in R if not r["gold"])
    elsewhere=[r["id"] for r in R if r["table"] and any(r["name"].lower()==y.lower() for y in sum(cols[r["schema"]].values(),[]))]
    if elsewhere: print("note: name exists in another table:",elsewhere)
    st=dict(file=f,schemas=len(cols),records=len(R),pos=sum(p.values()),neg=sum(q.values()),
      with_table_pos=sum(1 for r in R if r["gold"] and r["table"]),without_table_pos=sum(1 for r in R if r["gold"] and not r["table"]),
      with_table_neg=sum(1 for r in R if not r["gold"] and r["table"]),without_table_neg=sum(1 for r in R if not r["gold"] and not r["table"]))
    return st,p,q
A=load("own.json",38,5,9,4,12); B=load("second.json",200,3,8,3,12)
md="# How many records of each kind\n\nCounts only; no list for the tool.\n\n| | own.json | second.json |\n|---|---:|---:|\n"
for k in A[0]:
    if k!="file": md+=f"| {k.replace('_',' ')} | {A[0][k]} | {B[0][k]} |\n"
for title,i in (("A column is meant",1),("None is meant",2)):
    md+=f"\n## {title}\n\n| kind | own.json | second.json |\n|---|---:|---:|\n"
    for k in sorted(set(A[i])|set(B[i]),key=lambda k:(-B[i][k],k)): md+=f"| {k} | {A[i][k]} | {B[i][k]} |\n"
open("synonyms_needed.md","w").write(md); print(md)
print("BAD" if bad else "OK",*bad,sep="\n"); sys.exit(bool(bad))
