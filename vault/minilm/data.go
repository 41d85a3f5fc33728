package minilm

import _ "embed"

// Strings, because the linker puts them into read-only pages of the file: they are in memory only
// where they were read, and the system may drop them again. data/PROVENANCE.md says what they hold.
var (
	//go:embed data/minilm.blob
	blob string
	//go:embed data/vocab.txt
	vocabularyText string
)

const (
	modelName        = "all-MiniLM-L6-v2"
	blobSHA256       = "0c842f25d52ebf9d269737136220c817d8bb8eb3195cf62c24578586739cf372"
	vocabularySHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
)
