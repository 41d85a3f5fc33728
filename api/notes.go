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
}

// A NotePart is a part of a note as it is now.
type NotePart = vault.Text

// NoteText is the answer to GET /v1/notes/read: a part of a note as it is now.
type NoteText struct {
	NotePart
	// Changed says that the note is not as it was when it had the hash that was given.
	Changed bool      `json:"changed"`
	Links   NoteLinks `json:"links"`
}

// NoteLinks open a note elsewhere.
type NoteLinks struct {
	Obsidian string `json:"obsidian"`
	File     string `json:"file"`
}
