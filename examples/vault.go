// Package examples has what shows how rein is used. The sample notes are part of the program, so that rein demo has them
// wherever it runs.
package examples

import "embed"

// Vault is the folder vault: thirty notes about rein.
//
//go:embed vault
var Vault embed.FS
