// Package chaos is a lab: the real server in a separate process, behind a proxy that cuts, slows
// and splits connections, killed and restarted while a model writes. All its clients must see the
// same log, each event once, and the same texts. It contains only tests.
package chaos
