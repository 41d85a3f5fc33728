// Package crash is a lab that kills rein. Its tests run a whole program (SQLite, engine, local
// dispatcher) in a process of its own, end it with SIGKILL after a commit or around an effect, start
// it again and compare what came of it with a run that nobody disturbed. docs/crash.md says how to
// read the table that it prints. There is nothing to import here.
package crash
