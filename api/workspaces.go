package api

import (
	"rein"
)

// Workspaces is the answer to GET /v1/workspaces: those that you can name in a task.
type Workspaces struct {
	Workspaces []rein.Workspace `json:"workspaces"`
}

// NewWorkspace is the body of POST /v1/workspaces. On the unix socket you can leave the name out; then it is
// the workspace of the folder.
type NewWorkspace struct {
	Name    string   `json:"name,omitempty"`
	Root    string   `json:"root,omitempty"`    // the folder of its files
	Vault   string   `json:"vault,omitempty"`   // the folder of its notes
	Include []string `json:"include,omitempty"` // folders of the vault to include; empty: all
	Exclude []string `json:"exclude,omitempty"` // folders of the vault to exclude, also below an included one
	Ask     []string `json:"ask,omitempty"`     // tools that need approval in this workspace
	Deny    []string `json:"deny,omitempty"`    // tools that are denied in this workspace
	// Shared lets users of the household use it over the network.
	Shared bool `json:"shared,omitempty"`
	// Force accepts /, a home folder, or a folder that contains the data folder as root. It works only on
	// the unix socket.
	Force bool `json:"force,omitempty"`
}
