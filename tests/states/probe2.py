#!/usr/bin/env python3
"""Probes of what the documents do not decide, and of files that attack the scorer. Prints what happens; PROBES: task, expectation, code."""
import json, os, shutil, subprocess, sys, time
H = os.path.dirname(os.path.abspath(__file__))
P = [
 ("many", "right", "x('UPDATE z7 SET b=-1')"),
 ("large", "right", "x('UPDATE keyed SET V=V+1','UPDATE bag SET A=A+3 WHERE A<1')"),
 ("large", "right: noise 0.004 everywhere", "x('UPDATE keyed SET V=V+1.004','UPDATE bag SET A=A+3 WHERE A<1','UPDATE bag SET A=A-0.004')"),
 ("large", "wrong: one bag row off by 0.02", "x('UPDATE keyed SET V=V+1','UPDATE bag SET A=A+3 WHERE A<1','UPDATE bag SET A=A+0.02 WHERE rowid=39999')"),
 ("large", "wrong: all bag rows off by 100", "x('UPDATE keyed SET V=V+1','UPDATE bag SET A=A+100')"),
 ("large", "wrong: all bag rows made one value", "x('UPDATE keyed SET V=V+1','UPDATE bag SET A=3')"),
 ("small-near", "right", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5')"),
 ("small-near", "score: goal, noise 0.005 in the other 6 rows, one T of these changed: 5/6 if noise is no change, 5/11 if it is", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5','UPDATE items SET PRICE=PRICE+0.005 WHERE ID>5',\"UPDATE items SET T='q' WHERE ID=10\")"),
 ("small-near", "score: goal and a bag row with noise, and one T: 5/6, or 5/8", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5','UPDATE bag SET X=X+0.005 WHERE rowid=1',\"UPDATE items SET T='q' WHERE ID=10\")"),
 ("small-near", "score: an altered row also has noise in N: 5/5 right", "x('UPDATE items SET PRICE=40.5,N=N+0.005 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5')"),
 ("small-near", "score: that and one T: 5/6, or 1/10", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5',\"UPDATE items SET T='q' WHERE ID=10\",'CREATE TABLE i2(ID,PRICE,N,T)','INSERT INTO i2 SELECT ID,PRICE,CASE WHEN ID<=4 THEN N+0.005 ELSE N END,T FROM items','DROP TABLE items','ALTER TABLE i2 RENAME TO items')"),
 ("small-near", "?: an INTEGER key off by 0.005 (within 0.01)", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5','CREATE TABLE i2(ID,PRICE,N,T)','INSERT INTO i2 SELECT ID+0.005,PRICE,N,T FROM items','DROP TABLE items','ALTER TABLE i2 RENAME TO items')"),
 ("small-plain", "?: an INTEGER key off by 1e-12", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5','CREATE TABLE i2(ID,PRICE,N,T)','INSERT INTO i2 SELECT ID+1e-12,PRICE,N,T FROM items','DROP TABLE items','ALTER TABLE i2 RENAME TO items')"),
 ("small-plain", "?: expected int 40 as 40.00000000001", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40.00000000001 WHERE ID=5')"),
 ("small-plain", "?: unchanged int with noise 1e-12", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5','UPDATE items SET N=N*(1+1e-12) WHERE ID=7')"),
 ("small-unit", "right: PRICE '40.5 EUR' in one row", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5',\"UPDATE items SET PRICE='40.5 EUR' WHERE ID=1\")"),
 ("small-unit", "right: N '40 EUR'", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4',\"UPDATE items SET N='40 EUR' WHERE ID=5\")"),
 ("small-unit", "?: unchanged N with its unit", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5',\"UPDATE items SET N=N||' EUR' WHERE ID=7\")"),
 ("small-unit", "?: unchanged PRICE with its unit, all others", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5',\"UPDATE items SET PRICE=PRICE||' EUR' WHERE ID>5\")"),
 ("small-rnd", "right: unchanged PRICE rounded to one place", "x('UPDATE items SET PRICE=40.5 WHERE ID<=4','UPDATE items SET N=40 WHERE ID=5','UPDATE items SET PRICE=round(PRICE,1)')"),
 ("small-plain", "right: a real log of about 10 MiB", "d=con(); d.execute('PRAGMA journal_mode=WAL'); d.execute('PRAGMA wal_autocheckpoint=0'); d.execute('UPDATE items SET PRICE=40.5 WHERE ID<=4'); d.execute('UPDATE items SET N=40 WHERE ID=5')\nfor i in range(1200):\n  d.execute('UPDATE items SET T=T')\nprint(os.path.getsize(p+'-wal')>>20,flush=True); os._exit(0)"),
 ("small-plain", "?: db 1 MB, log of about 15.5 MiB", "d=con(); d.execute('PRAGMA journal_mode=WAL'); d.execute('PRAGMA wal_autocheckpoint=0'); d.execute('UPDATE items SET PRICE=40.5 WHERE ID<=4'); d.execute('UPDATE items SET N=40 WHERE ID=5'); d.execute('CREATE TABLE z AS SELECT zeroblob(1000000) b'); d.execute('PRAGMA wal_checkpoint(TRUNCATE)'); d.execute('DROP TABLE z')\nwhile os.path.getsize(p+'-wal')<16200000:\n  d.execute('UPDATE items SET T=T')\nprint(os.path.getsize(p+'-wal'),flush=True); os._exit(0)"),
]
def main():
    os.chdir(H)
    if not os.path.exists("pb2"): subprocess.run(["./picardc","build","probes2.pcd","-o","pb2","--seed","1","-q","--samples","1"],check=True)
    pick = sys.argv[1] if len(sys.argv) > 1 else ""
    for n,(task,want,code) in enumerate(P):
        if pick and pick not in want and pick != str(n): continue
        run=f"out_probe2/{n}"; shutil.rmtree(run,ignore_errors=True); os.makedirs("out_probe2",exist_ok=True)
        t=time.time()
        r=subprocess.run(["./picardc","run","pb2","--agent","cmd:python3 probe_agent.py","--env","PCD_CODE","--task",task.split("-")[0],"--limit","9","-o",run,"-q","--timeout","60","--retry-failed=false"],env={**os.environ,"PCD_CODE":code},capture_output=True,text=True,timeout=290)
        s=f"{run}/scores.jsonl"
        if not os.path.exists(s): print(f"{n:3} {task:9} {want}\n      NO SCORES rc={r.returncode} {r.stderr[-300:]}"); continue
        y=next(y for y in map(json.loads,open(s)) if y["id"]==task+"-1"); v=y["verdicts"][0]
        print(f"{n:3} {task:9} {want}\n      {'CORRECT' if y['correct'] else 'not correct'} {y['score']:.4f} {v['reason']} {y['status']} {y.get('error') or ''} {time.time()-t:.1f}s {json.dumps(v['differences'],ensure_ascii=False)[:230]}", flush=True)
main()
