// Package telemetry makes traces, metrics and a debug stream of the logs of runs, and logs and counts
// requests. A run never waits for it: the store's marks are only noted, one goroutine reads the logs
// behind them, and what that cannot keep up with is dropped and counted. Nothing that people, models
// or tools said is in it unless it is asked for, and then only as a redactor leaves it.
package telemetry
