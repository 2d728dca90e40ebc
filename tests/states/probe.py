#!/usr/bin/env python3
"""Probes of what the documents do not decide, and of files that attack the scorer. Prints what happens; PROBES: task, expectation, code."""
import json, os, shutil, subprocess, sys, time
H = os.path.dirname(os.path.abspath(__file__))
P = [
 ("odd", "right", "x(*ODD)"),
 ("odd", "partial: null keys: row (NULL,1) altered", "x(*ODD, 'UPDATE nullkey SET V=7 WHERE V=1')"),
 ("odd", "wrong: key case of NOCASE", "x(*ODD, \"UPDATE nocase SET K='ANN' WHERE K='Ann'\")"),
 ("odd", "wrong: swap of V between key 1 and '1'", "x(*ODD, \"UPDATE mixed SET V=CASE typeof(K) WHEN 'integer' THEN 'changed' WHEN 'text' THEN 'int' ELSE V END\")"),
 ("odd", "right: key 1 as 1.0", "x(*ODD, \"UPDATE mixed SET K=1.0 WHERE typeof(K)='integer'\")"),
 ("odd", "right?: real key 0.1 off by 1e-12 (fraction within 1e-9)", "x(*ODD, 'UPDATE realkey SET K=K*(1+1e-12) WHERE V=9')"),
 ("odd", "right?: real key 0.25 of unchanged row off by 1e-12", "x(*ODD, 'UPDATE realkey SET K=K*(1+1e-12) WHERE V=2')"),
 ("odd", "wrong: infinity became 1.79e308", "x(*ODD, 'UPDATE dirty SET R=1.7976931348623157e308 WHERE ID=1')"),
 ("odd", "wrong: inf sign", "x(*ODD, 'UPDATE dirty SET R=-R WHERE ID=1')"),
 ("odd", "wrong: text cut at NUL", "x(*ODD, \"UPDATE dirty SET T='a' WHERE ID=1\")"),
 ("odd", "wrong: 0 for 1e-300 (10^-9 of its size)", "x(*ODD, 'UPDATE dirty SET R=0.0 WHERE ID=3')"),
 ("odd", "right: generated columns became plain", "x(*ODD, 'CREATE TABLE g2(ID,A,B,C)','INSERT INTO g2 SELECT * FROM gen','DROP TABLE gen','ALTER TABLE g2 RENAME TO gen')"),
 ("odd", "wrong: generated column other expression", "x(*ODD, 'CREATE TABLE g2(ID INTEGER PRIMARY KEY,A,B AS (A*2),C AS (A+2))','INSERT INTO g2(ID,A) SELECT ID,A FROM gen','DROP TABLE gen','ALTER TABLE g2 RENAME TO gen')"),
 ("odd", "right?: table name in other letter case", "x(*ODD, 'ALTER TABLE t RENAME TO tt', 'ALTER TABLE tt RENAME TO T')"),
 ("odd", "wrong?: column STRASSE/straße non-ASCII case", "x(*ODD, 'ALTER TABLE \"weird name\" RENAME COLUMN \"Straße\" TO \"STRASSE\"')"),
 ("odd", "right: ascii case of column with non-ascii", "x(*ODD, 'ALTER TABLE \"weird name\" RENAME COLUMN \"Straße\" TO \"sTRAßE\"')"),
 ("tiny", "?: nothing, all changes within the tolerance", "pass"),
 ("tiny", "right: goal", "x('UPDATE items SET PRICE=PRICE+0.01')"),
 ("tiny", "?: half of the changes", "x('UPDATE items SET PRICE=PRICE+0.01 WHERE ID<=5')"),
 ("tiny", "right: 0.02 up (0.01 from the goal)", "x('UPDATE items SET PRICE=PRICE+0.02')"),
 ("tiny", "?: 0.001 up (0.009 from the goal)", "x('UPDATE items SET PRICE=PRICE+0.001')"),
 ("mixedtiny", "?: only the large changes", "x('UPDATE items SET PRICE=PRICE+5 WHERE ID>5')"),
 ("mixedtiny", "?: only the small changes", "x('UPDATE items SET PRICE=PRICE+0.01 WHERE ID<=5')"),
 ("mixedtiny", "wrong: large ones, small ones and one small row damaged by 1", "x('UPDATE items SET PRICE=PRICE+5 WHERE ID>5','UPDATE items SET PRICE=PRICE+0.01 WHERE ID<=5','UPDATE items SET PRICE=PRICE+1 WHERE ID=1')"),
 ("unit", "right", "x(\"UPDATE items SET PRICE=40.5,N=40\")"),
 ("unit", "right: with unit", "x(\"UPDATE items SET PRICE='40.50 EUR',N='EUR 40'\")"),
 ("unit", "wrong: other unit", "x(\"UPDATE items SET PRICE='40.50 USD',N=40\")"),
 ("unit", "wrong: text without unit", "d=con(); d.execute('CREATE TABLE i2(ID,PRICE,N)'); d.execute(\"INSERT INTO i2 SELECT ID,'40.5','40' FROM items\"); d.execute('DROP TABLE items'); d.execute('ALTER TABLE i2 RENAME TO items')"),
 ("halfunit", "right 2.34", "x('UPDATE items SET PRICE=2.34,N=40')"),
 ("halfunit", "right 2.35", "x('UPDATE items SET PRICE=2.35,N=40')"),
 ("halfunit", "wrong 2.36", "x('UPDATE items SET PRICE=2.36,N=40')"),
 ("halfunit", "wrong 2.355", "x('UPDATE items SET PRICE=2.355,N=40')"),
 ("halfunit", "right 2.345", "x('UPDATE items SET PRICE=2.345,N=40')"),
 ("percent", "right 198, 202, 4040", "x('UPDATE items SET PRICE=CASE WHEN ID%2 THEN 198 ELSE 202 END,N=4040')"),
 ("percent", "wrong 4041", "x('UPDATE items SET PRICE=200,N=4041')"),
 ("bag", "right", "x('DELETE FROM tol','INSERT INTO tol VALUES (0,0),(-0.1,0.6)')"),
 ("bag", "right: needs pairing", "x('DELETE FROM tol','INSERT INTO tol VALUES (0.2,0.3),(0.3,-0.3)')"),
 ("bag", "right: needs pairing, other order", "x('DELETE FROM tol','INSERT INTO tol VALUES (0.3,-0.3),(0.2,0.3)')"),
 ("bag", "wrong: both near the first only", "x('DELETE FROM tol','INSERT INTO tol VALUES (0.3,-0.3),(0.3,-0.3)')"),
 ("nested", "right", "x('DELETE FROM t WHERE N=3')"),
 ("nested", "right: ignored", "x('DELETE FROM t WHERE N=3','DROP TABLE mixed','UPDATE dirty SET R=5')"),
 ("nested", "wrong: dirty.T", "x('DELETE FROM t WHERE N=3',\"UPDATE dirty SET T='q' WHERE ID=1\")"),
 ("nested", "right: ignored table is a view now", "x('DELETE FROM t WHERE N=3','DROP TABLE mixed','CREATE VIEW mixed AS SELECT 1')"),
 ("nested", "right?: ignored table is virtual", "x('DELETE FROM t WHERE N=3','DROP TABLE mixed','CREATE VIRTUAL TABLE mixed USING fts5(a)')"),
 ("nested", "?: collation that is not SQLite's in an index", "d=con(); d.create_collation('mine', lambda a,b:(a>b)-(a<b)); d.execute('DELETE FROM t WHERE N=3'); d.execute('CREATE INDEX i ON dirty(T COLLATE mine)')"),
 ("nested", "?: function that is not SQLite's in an index", "d=con(); d.create_function('mine',1,lambda a:a,deterministic=True); d.execute('DELETE FROM t WHERE N=3'); d.execute('CREATE INDEX i ON dirty(mine(ID))')"),
 ("nested", "?: function that is not SQLite's in a CHECK", "d=con(); d.create_function('mine',1,lambda a:1,deterministic=True); d.execute('DELETE FROM t WHERE N=3'); d.execute('CREATE TABLE t2(N CHECK(mine(N)))'); d.execute('INSERT INTO t2 SELECT * FROM t'); d.execute('DROP TABLE t'); d.execute('ALTER TABLE t2 RENAME TO t')"),
 ("nested", "?: function that is not SQLite's in a trigger, view", "d=con(); d.create_function('mine',1,lambda a:1,deterministic=True); d.execute('DELETE FROM t WHERE N=3'); d.execute('CREATE TRIGGER q AFTER DELETE ON t BEGIN SELECT mine(1); END'); d.execute('CREATE VIEW vv AS SELECT mine(1)')"),
 ("nested", "?: collation that is not SQLite's on a key column", "d=con(); d.create_collation('mine', lambda a,b:(a>b)-(a<b)); d.execute('DELETE FROM t WHERE N=3'); d.execute('CREATE TABLE t2(K TEXT COLLATE mine PRIMARY KEY, V)'); d.execute('INSERT INTO t2 SELECT * FROM nocase'); d.execute('DROP TABLE nocase'); d.execute('ALTER TABLE t2 RENAME TO nocase')"),
 ("nested", "right: links: db in place x, link to it", "x('DELETE FROM t WHERE N=3'); os.rename(p,'x.db'); os.symlink('x.db',p)"),
 ("nested", "right?: link to a db whose log has the changes (SQLite follows the link and reads x.db-wal)", "os.rename(p,'x.db'); os.symlink('x.db',p); d=con(); d.execute('PRAGMA journal_mode=WAL'); d.execute('DELETE FROM t WHERE N=3'); print(os.listdir('.'),flush=True); os._exit(0)"),
 ("nested", "wrong?: link + a hot journal beside the target (undone change)", "os.rename(p,'x.db'); os.symlink('x.db',p); d=con(); d.execute('PRAGMA cache_size=2'); d.execute('BEGIN'); d.execute('DELETE FROM t WHERE N=3'); d.execute('CREATE TABLE s(x)'); d.executemany('INSERT INTO s VALUES(?)',[('x'*900,)]*400); os._exit(0)"),
 ("nested", "?: the log is a link to the real log", "d=con(); d.execute('PRAGMA journal_mode=WAL'); d.execute('DELETE FROM t WHERE N=3'); os.rename(p+'-wal','w'); os.symlink('w',p+'-wal'); os._exit(0)"),
 ("nested", "wrong: the log is a FIFO", "x('PRAGMA journal_mode=WAL'); os.mkfifo(p+'-wal')"),
 ("nested", "?: right, and the log is a folder", "x('DELETE FROM t WHERE N=3'); os.mkdir(p+'-wal')"),
 ("nested", "?: right, the journal is a link out", "x('DELETE FROM t WHERE N=3'); os.symlink('/etc/hostname',p+'-journal')"),
 ("nested", "?: right, mode 000", "x('DELETE FROM t WHERE N=3'); os.chmod(p,0)"),
 ("nested", "?: right, folder mode 000 log", "d=con(); d.execute('PRAGMA journal_mode=WAL'); d.execute('DELETE FROM t WHERE N=3'); os.chmod(p+'-wal',0); os._exit(0)"),
 ("nested", "?: right, log of more than 16 MiB", "d=con(); d.execute('PRAGMA journal_mode=WAL'); d.execute('PRAGMA wal_autocheckpoint=0'); d.execute('DELETE FROM t WHERE N=3')\nfor i in range(20):\n  d.execute('CREATE TABLE z AS SELECT zeroblob(1000000) AS b'); d.execute('DROP TABLE z')\nos._exit(0)"),
 ("nested", "right: log of 10 MiB", "d=con(); d.execute('PRAGMA journal_mode=WAL'); d.execute('PRAGMA wal_autocheckpoint=0'); d.execute('DELETE FROM t WHERE N=3')\nfor i in range(10):\n  d.execute('CREATE TABLE z AS SELECT zeroblob(1000000) AS b'); d.execute('DROP TABLE z')\nos._exit(0)"),
 ("nested", "bomb: generated column of large blobs", "x('DELETE FROM t WHERE N=3','DROP TABLE t','CREATE TABLE t(N AS (length(hex(zeroblob(400000000)))+id), id)','WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<2000) INSERT INTO t(id) SELECT i FROM n')"),
 ("nested", "bomb: generated column returning 1 MB for 5000 rows", "x('DROP TABLE t','CREATE TABLE t(id, N AS (zeroblob(1000000)))','WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<5000) INSERT INTO t(id) SELECT i FROM n')"),
 ("nested", "bomb: generated N only, 1 MB x 20000 rows", "x('DROP TABLE t','CREATE TABLE t(N AS (CAST(zeroblob(1000000) AS TEXT)) VIRTUAL, z)','INSERT INTO t(z) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<20000) SELECT i FROM n')"),
 ("nested", "bomb: CHECK with heavy LIKE in integrity_check", "x('DELETE FROM t WHERE N=3','PRAGMA ignore_check_constraints=ON','CREATE TABLE dd(a)',\"DROP TABLE t\",\"CREATE TABLE t(N CHECK (length(replace(hex(zeroblob(30000000)),'0','11')) > 5))\",'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<20000) INSERT INTO t SELECT i FROM n','DROP TABLE dd')"),
 ("nested", "bomb: CHECK with GLOB backtracking", "x('PRAGMA ignore_check_constraints=ON','DROP TABLE t',\"CREATE TABLE t(N CHECK (NOT replace(hex(zeroblob(40000)),'0','a') GLOB '*a*a*a*a*a*a*a*b'))\",'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200) INSERT INTO t SELECT i FROM n')"),
 ("nested", "bomb: index on a heavy expression", "d=con(); d.execute('PRAGMA writable_schema=ON'); d.execute('CREATE INDEX hv ON t(N)'); d.execute(\"UPDATE sqlite_master SET sql='CREATE INDEX hv ON t(length(hex(zeroblob(400000000)))+N)' WHERE name='hv'\"); d.close(); d=con(); d.execute('DELETE FROM sqlite_stat1') if 0 else None"),
 ("nested", "bomb: 16 MiB of 1-byte rows, 1.5 million", "x('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<1500000) INSERT INTO t SELECT NULL FROM n')"),
 ("nested", "bomb: 20000 tables", "d=con(); d.execute('BEGIN'); [d.execute(f'CREATE TABLE z{i}(a)') for i in range(3500)]; d.execute('COMMIT')"),
 ("nested", "bomb: deep view with the table's name", "x('DROP TABLE t','CREATE VIEW t AS WITH RECURSIVE n(N) AS (SELECT 1 UNION ALL SELECT N+1 FROM n) SELECT N FROM n')"),
 ("nested", "wrong: schema version of a later format (header byte 18=3, 19=3)", "x('DELETE FROM t WHERE N=3'); f=open(p,'r+b'); f.seek(18); f.write(b'\\x03\\x03'); f.close()"),
 ("nested", "?: write version 3 only: SQLite reads it", "x('DELETE FROM t WHERE N=3'); f=open(p,'r+b'); f.seek(18); f.write(b'\\x03\\x01'); f.close()"),
 ("nested", "right: WAL flag in the header without a log", "x('DELETE FROM t WHERE N=3'); f=open(p,'r+b'); f.seek(18); f.write(b'\\x02\\x02'); f.close()"),
 ("nested", "?: page count 0 in the header (old SQLite)", "x('DELETE FROM t WHERE N=3'); f=open(p,'r+b'); f.seek(28); f.write(b'\\0\\0\\0\\0'); f.close()"),
 ("nested", "?: background process holds a lock", "x('DELETE FROM t WHERE N=3'); pid=os.fork()\nif pid==0:\n  os.setsid(); d=con(); d.execute('BEGIN EXCLUSIVE'); time.sleep(100); os._exit(0)\ntime.sleep(0.5)"),
 ("nested", "wrong: extra virtual table that reads files (no module)", "x('DELETE FROM t WHERE N=3','PRAGMA writable_schema=ON',\"INSERT INTO sqlite_master VALUES('table','evil','evil',0,'CREATE VIRTUAL TABLE evil USING csv(filename=''/etc/passwd'')')\")"),
 ("nested", "?: a table sqlite_mine by writable_schema", "x('DELETE FROM t WHERE N=3','PRAGMA writable_schema=ON','CREATE TABLE abc(x)',\"UPDATE sqlite_master SET name='sqlite_abc',tbl_name='sqlite_abc',sql='CREATE TABLE sqlite_abc(x)' WHERE name='abc'\")"),
 ("nested", "wrong: t is now the name of a table-valued view via sqlite_ hidden", "x('DELETE FROM t WHERE N=3','PRAGMA writable_schema=ON',\"UPDATE sqlite_master SET name='sqlite_t',tbl_name='sqlite_t',sql='CREATE TABLE sqlite_t(N)' WHERE name='t'\")"),
 ("nested", "?: column named rowid shadow", "x('DELETE FROM t WHERE N=3','ALTER TABLE t RENAME COLUMN N TO rowid')"),
]
def main():
    os.chdir(H)
    if not os.path.exists("pb"): subprocess.run(["./picardc","build","probes.pcd","-o","pb","--seed","1","-q","--samples","1"],check=True)
    pick = sys.argv[1] if len(sys.argv) > 1 else ""
    for n,(task,want,code) in enumerate(P):
        if pick and pick not in want and pick != str(n): continue
        run=f"out_probe/{n}"; shutil.rmtree(run,ignore_errors=True); os.makedirs("out_probe",exist_ok=True)
        t=time.time()
        r=subprocess.run(["./picardc","run","pb","--agent","cmd:python3 probe_agent.py","--env","PCD_CODE","--task",task,"--limit","1","-o",run,"-q","--timeout","60","--retry-failed=false"],env={**os.environ,"PCD_CODE":code},capture_output=True,text=True,timeout=290)
        s=f"{run}/scores.jsonl"
        if not os.path.exists(s): print(f"{n:3} {task:9} {want}\n      NO SCORES rc={r.returncode} {r.stderr[-300:]}"); continue
        y=json.loads(open(s).readline()); v=y["verdicts"][0]
        print(f"{n:3} {task:9} {want}\n      {'CORRECT' if y['correct'] else 'not correct'} {y['score']:.4f} {v['reason']} {y['status']} {y.get('error') or ''} {time.time()-t:.1f}s {json.dumps(v['differences'],ensure_ascii=False)[:230]}", flush=True)
main()
