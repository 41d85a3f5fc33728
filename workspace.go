package rein

import "time"

// Origin says who added a workspace.
type Origin string

const (
	OriginSettings Origin = "settings" // rein.toml
	OriginAdded    Origin = "added"    // by an admin
	OriginFolder   Origin = "folder"   // by a command on this machine, for the folder in which somebody ran it
)

// A Workspace is a named folder with its files, notes, instructions and rules.
type Workspace struct {
	Name      string `json:"name"`
	Household string `json:"household"`
	// Root is the folder of the file tools; empty: there is none.
	Root string `json:"root,omitempty"`
	// Vault is the folder of the notes; empty: there are none, or, for a workspace with the origin folder,
	// the vault in the settings.
	Vault   string   `json:"vault,omitempty"`
	Include []string `json:"include,omitempty"` // folders of the vault to include; empty: all
	Exclude []string `json:"exclude,omitempty"` // folders of the vault to exclude, also below an included one
	Ask     []string `json:"ask,omitempty"`     // tools that need approval in this workspace
	Deny    []string `json:"deny,omitempty"`    // tools that are denied in this workspace
	// Shared says that users of the household may use it over the network.
	Shared  bool      `json:"shared,omitempty"`
	Origin  Origin    `json:"origin"`
	By      string    `json:"by,omitempty"` // who added it
	Created time.Time `json:"created,omitzero"`
}
