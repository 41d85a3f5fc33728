package shelf_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"rein"
	"rein/household/shelf"
)

// TestVerify changes what is stored behind the shelf's back.
func TestVerify(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 40<<10) // three parts
	for name, c := range map[string]struct{ change, want string }{
		"nothing":        {"", ""},
		"a byte":         {`UPDATE session_file_parts SET data = x'6120766f7465' WHERE data = x'61206e6f7465'`, `file "a.txt" of session "s1": its content was changed`},
		"a part is gone": {`DELETE FROM session_file_parts WHERE part = 1`, `file "large.bin" of session "s1": it is not whole`},
		"a part more":    {`INSERT INTO session_file_parts (content, part, written, data) SELECT content, 9, 0, x'6d' FROM session_files WHERE name = 'a.txt'`, `file "a.txt" of session "s1": its row says`},
		"the digest":     {`UPDATE session_files SET sha256 = 'f00' WHERE name = 'empty'`, `file "empty" of session "s1": its content was changed`},
		"the size":       {`UPDATE session_files SET size = 3 WHERE name = 'a.txt'`, `file "a.txt" of session "s1": its content was changed`},
	} {
		t.Run(name, func(t *testing.T) {
			s, tables := newShelf(t)
			put(t, s, ann, "a.txt", []byte("a note"))
			put(t, s, ann, "empty", nil)
			put(t, s, ann, "large.bin", large)
			if c.change != "" {
				check(t, tables.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
					_, err := tx.ExecContext(ctx, c.change)
					return err
				}))
			}
			wrong, err := shelf.Verify(t.Context(), tables)
			check(t, err)
			got := strings.Join(wrong, "\n")
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) || len(wrong) > 1 {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
