package api

import "rein/vault"

// NotesStatus is the answer to GET /v1/notes: how the vault is, and what is in it.
type NotesStatus struct {
	Vault string `json:"vault"` // where it is
	vault.Status
	Entries []vault.Entry `json:"entries"`
}

// NotesFound is the answer to GET /v1/notes/search.
type NotesFound struct {
	vault.Results
	TookMS int64 `json:"took_ms"`
	// Open says where the files among the hits that are no notes can be opened, by path.
	Open map[string]NoteLinks `json:"open,omitempty"`
}

// LinkedNotes is the answer to GET /v1/notes/links: the links of a note in both directions, and what is
// related to it.
type LinkedNotes = vault.Links

// A NotePart is a part of a note as it is now.
type NotePart = vault.Text

// NoteText is the answer to GET /v1/notes/read: a part of a note as it is now.
type NoteText struct {
	NotePart
	// Changed says that the note is not as it was when it had the hash that was given.
	Changed bool      `json:"changed"`
	File    bool      `json:"file,omitempty"` // it is not a note: it has no text here, but its links open it
	Links   NoteLinks `json:"links"`
}

// NoteLinks open a note elsewhere, at the heading or block that was asked for.
type NoteLinks struct {
	Obsidian string `json:"obsidian"`
	File     string `json:"file"`
	Download string `json:"download"` // a path of this API
}
