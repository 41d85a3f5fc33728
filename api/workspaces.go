package api

import (
	"rein"
)

// Workspaces is the answer to GET /v1/workspaces: those that the sender may name in a task.
type Workspaces struct {
	Workspaces []rein.Workspace `json:"workspaces"`
}

// NewWorkspace is the body of POST /v1/workspaces. On the socket of this machine the name may be left
// out: then it is the workspace of that folder.
type NewWorkspace struct {
	Name    string   `json:"name,omitempty"`
	Root    string   `json:"root,omitempty"`    // the folder of its files
	Vault   string   `json:"vault,omitempty"`   // the folder of its notes
	Include []string `json:"include,omitempty"` // folders of the vault; none means all
	Exclude []string `json:"exclude,omitempty"` // folders of the vault; these win
	Ask     []string `json:"ask,omitempty"`     // tools that need approval there
	Deny    []string `json:"deny,omitempty"`    // tools that are not used there
	// Shared lets users of the household name it over the network.
	Shared bool `json:"shared,omitempty"`
	// Force takes a root also if it is /, a home folder, or holds the data folder; only on the socket.
	Force bool `json:"force,omitempty"`
}
