// Package telemetry makes traces, metrics and debug lines from the logs of runs, and logs and
// counts requests. No run waits for it: one goroutine reads the logs behind the store's marks, and
// drops and counts what it cannot keep up with. It contains nothing that people, models or tools
// said unless you turn that on, and then only redacted.
package telemetry
