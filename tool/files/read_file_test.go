package files_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/tool"
	"rein/tool/files"
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func dataOf(t *testing.T, done rein.Done) (read files.Read) {
	t.Helper()
	must(t, json.Unmarshal(done.Data, &read))
	return read
}

func TestReadFile(t *testing.T) {
	const five = "one\ntwo\nthree\nfour\nfive"
	root, _ := folder(t, map[string]string{"five": five, "ended": "a\nb\n", "empty": "", "crlf": "a\r\nb\r\n", "uni": "é\n日本\n", "bom": "\uFEFFx"})
	for _, c := range []struct {
		path        string
		from, lines int
		text        string
		start, took int
		total       int
	}{
		{"five", 0, 0, five, 1, 5, 5},
		{"five", 1, 5, five, 1, 5, 5},
		{"five", 1, 50, five, 1, 5, 5},
		{"five", 2, 2, "two\nthree\n[lines 2-3 of 5; go on with from_line 4]", 2, 2, 5},
		{"five", 0, 1, "one\n[lines 1-1 of 5; go on with from_line 2]", 1, 1, 5},
		{"five", 5, 0, "five\n[lines 5-5 of 5]", 5, 1, 5},
		{"five", 4, 9, "four\nfive\n[lines 4-5 of 5]", 4, 2, 5},
		{"ended", 0, 0, "a\nb\n", 1, 2, 2},
		{"ended", 2, 1, "b\n[lines 2-2 of 2]", 2, 1, 2},
		{"empty", 0, 0, "[the file is empty]", 1, 0, 0},
		{"empty", 1, 3, "[the file is empty]", 1, 0, 0},
		{"crlf", 0, 0, "a\r\nb\r\n", 1, 2, 2},
		{"uni", 2, 1, "日本\n[lines 2-2 of 2]", 2, 1, 2},
		{"bom", 0, 0, "\uFEFFx", 1, 1, 1},
	} {
		a := args{"path": c.path}
		if c.from > 0 {
			a["from_line"] = c.from
		}
		if c.lines > 0 {
			a["lines"] = c.lines
		}
		done, err := call(t, root, "read_file", a)
		if err != nil || done.Text != c.text {
			t.Errorf("%v: %q, want %q (%v)", a, done.Text, c.text, err)
			continue
		}
		whole, err := call(t, root, "read_file", args{"path": c.path})
		must(t, err)
		want := files.Read{Path: c.path, FromLine: c.start, Lines: c.took, TotalLines: &c.total, Hash: dataOf(t, whole).Hash, Bytes: dataOf(t, whole).Bytes}
		if diff := cmp.Diff(want, dataOf(t, done)); diff != "" {
			t.Errorf("%v: %s", a, diff)
		}
	}
	done, err := call(t, root, "read_file", args{"path": "five"})
	must(t, err)
	if got := dataOf(t, done); got.Hash != hashOf(five) || got.Bytes != int64(len(five)) {
		t.Errorf("got %+v", got)
	}
	refused(t, root, "read_file", args{"path": "five", "from_line": 6}, rein.CodeInvalid, `"five" has 5 lines: from_line 6 is beyond them`)
	refused(t, root, "read_file", args{"path": "empty", "from_line": 2}, rein.CodeInvalid, "has 0 lines")
}

func TestReadFileThatIsNoText(t *testing.T) {
	root, _ := folder(t, map[string]string{
		"png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "nul": strings.Repeat("x\n", 9000) + "\x00", "latin1": "caf\xe9\n", "utf16": "\xff\xfeh\x00i\x00", "pdf": "%PDF-1.7\n\xff",
		"mixed": "fine\n\xff\xff\nfine\n", "lines": "\x00\x01\nfine\n",
	})
	for name, words := range map[string][]string{
		"png": {`"png" cannot be shown: it begins as image/png and is damaged`}, "nul": {"18001 bytes"}, "latin1": {"5 bytes", "another encoding"}, "utf16": {"utf-16"}, "pdf": {"application/pdf"}, "mixed": {"another encoding"},
	} {
		refused(t, root, "read_file", args{"path": name}, rein.CodeInvalid, words...)
	}
	refused(t, root, "read_file", args{"path": "lines", "from_line": 2, "lines": 1}, rein.CodeInvalid, "is not UTF-8 text") // by its head alone
	if done, err := call(t, root, "read_file", args{"path": "mixed", "from_line": 3}); err != nil || !strings.HasPrefix(done.Text, "fine\n") {
		t.Errorf("the lines around it: %q %v", done.Text, err)
	}
}

// A file of any size can be read in ranges, and a line of any length cannot fill the memory.
//
// Attack: 35
func TestReadFileThatIsHuge(t *testing.T) {
	root, dir := folder(t, map[string]string{"line": strings.Repeat("x", 9<<20) + "\nshort\n"})
	f, err := os.Create(filepath.Join(dir, "huge"))
	must(t, err)
	block := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16) // 1 MiB
	for range 12 {
		_, err := f.Write(block)
		must(t, err)
	}
	must(t, f.Truncate(1<<36)) // a large hole follows: who reads on is lost
	must(t, f.Close())

	refused(t, root, "read_file", args{"path": "huge"}, rein.CodeInvalid, "68719476736 bytes", "at most 8 MiB", "from_line and lines")
	done, err := call(t, root, "read_file", args{"path": "huge", "from_line": 700_000, "lines": 2})
	must(t, err)
	if done.Text != "0123456789abcde\n0123456789abcde\n[lines 700000-700001; more follow: go on with from_line 700002]" {
		t.Errorf("got %.200q", done.Text)
	}
	if diff := cmp.Diff(files.Read{Path: "huge", FromLine: 700_000, Lines: 2, Bytes: 1 << 36}, dataOf(t, done)); diff != "" {
		t.Error(diff)
	}
	refused(t, root, "read_file", args{"path": "huge", "lines": 600_000}, rein.CodeInvalid, "more than 8 MiB: ask for fewer")
	refused(t, root, "read_file", args{"path": "line", "lines": 1}, rein.CodeInvalid, "more than 8 MiB")
	if done, err := call(t, root, "read_file", args{"path": "line", "from_line": 2}); err != nil || done.Text != "short\n[lines 2-2 of 2]" {
		t.Errorf("%.80q %v", done.Text, err)
	}
}

// At most 8 MiB means that 8 MiB are read.
func TestReadFileAtTheLimit(t *testing.T) {
	root, _ := folder(t, map[string]string{"just": strings.Repeat("x", 8<<20), "over": strings.Repeat("x", 8<<20+1)})
	if done, err := call(t, root, "read_file", args{"path": "just"}); err != nil || len(done.Text) != 8<<20 {
		t.Errorf("%d %v", len(done.Text), err)
	}
	refused(t, root, "read_file", args{"path": "over"}, rein.CodeInvalid, "ask for a range")
}

// A character that lies across two pieces of a long line stays whole.
func TestReadFileAcrossPieces(t *testing.T) {
	for shift := range 4 {
		text := strings.Repeat("x", shift) + strings.Repeat("日", 50_000)
		root, _ := folder(t, map[string]string{"f": text})
		if done, err := call(t, root, "read_file", args{"path": "f"}); err != nil || done.Text != text {
			t.Errorf("shift %d: %v", shift, err)
		}
	}
}

func TestReadFileStopsWhenCancelled(t *testing.T) {
	root, dir := folder(t, nil)
	f, err := os.Create(filepath.Join(dir, "hole"))
	must(t, err)
	_, err = fmt.Fprintln(f, strings.Repeat("x", 1000))
	must(t, err)
	must(t, f.Truncate(1<<36))
	must(t, f.Close())
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the run was stopped")
	cancel(why)
	all, err := root.Tools()
	must(t, err)
	set, err := tool.Set(all...)
	must(t, err)
	for name, raw := range map[string]string{"read_file": `{"path":"hole","from_line":9}`, "list_directory": `{"depth":3}`} {
		if _, err := set[name].Do(ctx, rein.Invocation{Args: json.RawMessage(raw), Reach: everything(t, root)}); !errors.Is(err, why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
