package rein

import "time"

// Origin says where a workspace comes from.
type Origin string

const (
	OriginSettings Origin = "settings" // rein.toml
	OriginAdded    Origin = "added"    // by an admin
	OriginFolder   Origin = "folder"   // by a command on this machine, for the folder that it was typed in
)

// A Workspace is a folder with what belongs to it.
type Workspace struct {
	Name      string `json:"name"`
	Household string `json:"household"`
	// Root is the folder of the file tools; empty: there are none. Vault is the folder of notes, likewise;
	// for a workspace of OriginFolder empty means the vault of the settings.
	Root    string   `json:"root,omitempty"`
	Vault   string   `json:"vault,omitempty"`
	Include []string `json:"include,omitempty"` // folders of the vault; none means all
	Exclude []string `json:"exclude,omitempty"` // folders of the vault; these win
	Ask     []string `json:"ask,omitempty"`     // tools that need approval here
	Deny    []string `json:"deny,omitempty"`    // tools that are not used here
	// Shared says that users of the household may name it over the network.
	Shared  bool      `json:"shared,omitempty"`
	Origin  Origin    `json:"origin"`
	By      string    `json:"by,omitempty"` // who added it
	Created time.Time `json:"created,omitzero"`
}
