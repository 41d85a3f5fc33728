// Package crash is a lab that kills rein. Its tests run a whole program (SQLite, engine, local
// dispatcher) in a separate process, kill it with SIGKILL after a commit or around an effect, start
// it again, and compare the outcome with an undisturbed run. docs/crash.md explains the table that
// it prints. It contains only tests.
package crash
