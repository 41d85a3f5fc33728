package api

import "time"

// NotesStatus is the answer to GET /v1/notes: the state of the vault, and its files.
type NotesStatus struct {
	Vault string `json:"vault"` // its folder
	VaultStatus
	Entries []Entry `json:"entries"`
}

// VaultStatus is the state of a vault and of its index.
type VaultStatus struct {
	Notes    int      `json:"notes"`
	Skipped  int      `json:"skipped"`
	Missing  int      `json:"missing_vectors"`    // passages that have no vector yet
	Embedder string   `json:"embedder,omitempty"` // the model that makes the vectors; empty: search by words only
	Progress Progress `json:"progress"`
	Notices  []string `json:"notices,omitempty"` // problems, in words
}

// Progress is how far indexing has come.
type Progress struct {
	Phase string        `json:"phase"` // "words" counts notes, "vectors" counts passages, "" means idle
	Done  int           `json:"done"`
	Total int           `json:"total"`
	Rate  float64       `json:"rate"` // per second
	Left  time.Duration `json:"left"` // the estimated time left; 0: unknown, or done
}

// An Entry is a file of the vault. The path of a folder that is left out ends in "/".
type Entry struct {
	Path     string    `json:"path"`
	Indexed  bool      `json:"indexed"`
	Why      string    `json:"why,omitempty"` // why it is not indexed
	Title    string    `json:"title,omitempty"`
	Tags     []string  `json:"tags,omitempty"`
	Lang     string    `json:"lang,omitempty"`
	Pieces   int       `json:"pieces,omitempty"`
	Size     int64     `json:"size,omitempty"`
	Changed  time.Time `json:"changed,omitzero"`
	Problems []string  `json:"problems,omitempty"`
}

// NotesFound is the answer to GET /v1/notes/search, the best hit first.
type NotesFound struct {
	Hits    []Hit    `json:"data"`
	Notices []string `json:"notices,omitempty"` // limits and problems of this search, in words
	Terms   []Term   `json:"terms,omitempty"`   // with explain: the words of the query
	About   []About  `json:"about,omitempty"`
	TookMS  int64    `json:"took_ms"`
	// Open has links, by path, to the hits that are files and not notes.
	Open map[string]NoteLinks `json:"open,omitempty"`
}

// A Hit is a passage of a note.
type Hit struct {
	Path    string  `json:"path"`
	Section string  `json:"section,omitempty"`
	Score   float64 `json:"score"`
	Snippet string  `json:"snippet"`
	Title   string  `json:"title,omitempty"`
	Start   int     `json:"start"` // in characters of the note
	End     int     `json:"end"`
	Hash    string  `json:"hash,omitempty"`  // the hash of the passage as it was indexed
	Block   string  `json:"block,omitempty"` // the "^id" of the block that the snippet comes from; read and cite it like a section
	File    bool    `json:"file,omitempty"`  // it is a file and not a note, found by its name
	Why     *Parts  `json:"why,omitempty"`
}

// Parts explain a score.
type Parts struct {
	Words   float64 `json:"words"`            // how well the words match (BM25); 1 is the best that the rarest words of the query can reach
	Vector  float64 `json:"vector"`           // how near the meaning is: the cosine of its best window
	Vectors bool    `json:"has_vector"`       // false: there is no vector, so the words count for the meaning too
	Name    float64 `json:"name,omitempty"`   // added because its title, alias or tag matches
	Named   string  `json:"named,omitempty"`  // which of these matches
	Rare    float64 `json:"rare,omitempty"`   // added because it contains a rare word literally
	Short   float64 `json:"short,omitempty"`  // the factor for a short passage; 0: it is not short
	Query   string  `json:"query,omitempty"`  // the query that fits it best
	Rescue  bool    `json:"rescue,omitempty"` // it is in the list only because it contains a rare word
}

// A Term is a word of a query.
type Term struct {
	Text   string  `json:"word"`
	Times  int     `json:"times,omitempty"` // how often the query has it, if more than once
	Pieces int     `json:"pieces"`          // how many passages contain it, or a word with the same stem
	IDF    float64 `json:"idf"`
	Rare   bool    `json:"rare,omitempty"`
	Small  bool    `json:"small,omitempty"` // it is too common to count beside the other words
}

// An About says where a note ranks, or why it was not found.
type About struct {
	Path  string  `json:"path"`
	Rank  int     `json:"rank,omitempty"` // the rank of its best passage, from 1; 0: it was not found
	Score float64 `json:"score,omitempty"`
	Why   *Parts  `json:"why,omitempty"`
	Says  string  `json:"says"` // the explanation, in words
}

// LinkedNotes is the answer to GET /v1/notes/links: the links of a note in both directions, and related
// notes.
type LinkedNotes struct {
	Path      string   `json:"path"`
	Links     []Ref    `json:"links"`             // notes that it links to
	Missing   []string `json:"missing,omitempty"` // links that lead to no note, as written
	Backlinks []Ref    `json:"backlinks"`         // notes that link to it
	Related   []Ref    `json:"related"`           // similar notes that are not linked with it, the nearest first
}

// A Ref names a note.
type Ref struct {
	Path  string `json:"path"`
	Title string `json:"title,omitempty"`
}

// NoteText is the answer to GET /v1/notes/read: a note, or a part of it, as it is now.
type NoteText struct {
	NotePart
	// Changed says that the note has changed since it had the hash that you gave.
	Changed bool      `json:"changed"`
	File    bool      `json:"file,omitempty"` // it is a file and not a note: open it with its links
	Links   NoteLinks `json:"links"`
}

// A NotePart is a note, or a part of it.
type NotePart struct {
	Text       string   `json:"text"`
	Path       string   `json:"path"`
	Section    string   `json:"section,omitempty"`
	Anchor     string   `json:"anchor,omitempty"` // where the text begins, as the end of a link: "Heading#Below", or "^id"
	Start      int      `json:"start"`            // in characters of the note
	End        int      `json:"end"`
	Total      int      `json:"total"` // characters that you asked for, before clipping
	Clipped    bool     `json:"clipped,omitempty"`
	Suggest    string   `json:"suggest,omitempty"` // if it was clipped: another section to read
	Hash       string   `json:"hash"`              // the hash of the whole note
	Notices    []string `json:"notices,omitempty"`
	LinksTo    []string `json:"links_to,omitempty"`    // notes that this one links to; a long list is cut
	LinkedFrom []string `json:"linked_from,omitempty"` // notes that link to this one; a long list is cut
}

// NoteLinks open a note, at the heading or block that you asked for.
type NoteLinks struct {
	Obsidian string `json:"obsidian"`
	File     string `json:"file"`
	Download string `json:"download"` // a path of this API
}
