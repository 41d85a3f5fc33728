package shelf_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/shelf"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

var (
	ann  = rein.Place{Household: "home", User: "ann", Session: "s1"}
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func newShelf(t *testing.T) (shelf.Shelf, *sqlite.Store) {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	return shelf.Shelf{Tables: s, Now: func() time.Time { return noon }}, s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, s shelf.Shelf, p rein.Place, name string, content []byte) rein.File {
	t.Helper()
	f, err := s.Put(t.Context(), p, name, "", bytes.NewReader(content))
	check(t, err)
	return f
}

func names(t *testing.T, s shelf.Shelf, p rein.Place) string {
	t.Helper()
	files, err := s.List(t.Context(), p)
	check(t, err)
	var all []string
	for _, f := range files {
		all = append(all, fmt.Sprintf("%s v%d %d", f.Name, f.Version, f.Size))
	}
	return strings.Join(all, "; ")
}

func wantCode(t *testing.T, what string, err error, code rein.Code) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("%s: %q (%v), want %q", what, rein.CodeOf(err), err, code)
	}
}

// A file comes back as it was brought, whole or in pieces, with what is known of it. A name that is
// taken gets a new version; the same content again changes nothing.
func TestPutAndGet(t *testing.T) {
	s, _ := newShelf(t)
	content := bytes.Repeat([]byte("0123456789abcdef"), 700_000/16) // three parts
	first, err := s.Put(t.Context(), ann, "notes.bin", "Text/X-Notes; charset=utf-8", bytes.NewReader(content))
	check(t, err)
	sum := sha256.Sum256(content)
	want := rein.File{Name: "notes.bin", Type: "text/x-notes", Text: true, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Version: 1, Created: noon, Changed: noon}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Error(diff)
	}
	for _, at := range [][2]int64{{0, 0}, {0, 1}, {262_143, 2}, {262_144, 1}, {100, 600_000}, {int64(len(content)) - 3, 100}, {int64(len(content)), 5}} {
		f, piece, err := s.Get(t.Context(), ann, "notes.bin", at[0], at[1])
		check(t, err)
		end := min(at[0]+at[1], int64(len(content)))
		if at[1] == 0 {
			end = int64(len(content))
		}
		if f != first || !bytes.Equal(piece, content[at[0]:end]) {
			t.Errorf("%v: %d bytes, %+v", at, len(piece), f)
		}
	}
	again, err := s.Put(t.Context(), ann, "up/notes.bin", "text/x-notes", bytes.NewReader(content))
	if again != first || err != nil {
		t.Errorf("again: %+v %v", again, err)
	}
	s.Now = func() time.Time { return noon.Add(time.Hour) }
	second := put(t, s, ann, "notes.bin", []byte{0, 1})
	want = rein.File{Name: "notes.bin", Type: "application/octet-stream", Size: 2, SHA256: second.SHA256, Version: 2, Created: noon, Changed: noon.Add(time.Hour)}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Error(diff)
	}
	if _, piece, err := s.Get(t.Context(), ann, "notes.bin", 0, 0); err != nil || !bytes.Equal(piece, []byte{0, 1}) {
		t.Errorf("%q %v", piece, err)
	}
	for _, at := range [][2]int64{{-1, 0}, {0, -1}, {3, 0}} {
		_, _, err := s.Get(t.Context(), ann, "notes.bin", at[0], at[1])
		wantCode(t, fmt.Sprint(at), err, rein.CodeInvalid)
	}
	if put(t, s, ann, "empty", nil).Type != "text/plain" {
		t.Error("an empty file is text")
	}
}

// Another user, household or session has other files, and cannot read, replace or delete these.
func TestAnothersDoNotExist(t *testing.T) {
	s, _ := newShelf(t)
	put(t, s, ann, "a.txt", []byte("ann's"))
	for _, other := range []rein.Place{{Household: "home", User: "bob", Session: "s1"}, {Household: "other", User: "ann", Session: "s1"}, {Household: "home", User: "ann", Session: "s2"}} {
		if got := names(t, s, other); got != "" {
			t.Errorf("%v sees %s", other, got)
		}
		_, _, err := s.Get(t.Context(), other, "a.txt", 0, 0)
		wantCode(t, "get", err, rein.CodeNotFound)
		wantCode(t, "delete", s.Delete(t.Context(), other, "a.txt"), rein.CodeNotFound)
		put(t, s, other, "a.txt", []byte("mine"))
		check(t, s.Delete(t.Context(), other, "a.txt"))
	}
	if got := names(t, s, ann); got != "a.txt v1 5" {
		t.Error(got)
	}
	for _, nobody := range []rein.Place{{}, {Household: "home", User: "ann", Session: ""}, {Household: "home", User: "", Session: "s1"}, {Household: "", User: "ann", Session: "s1"}} {
		_, err := s.Put(t.Context(), nobody, "x", "", strings.NewReader("x"))
		wantCode(t, "put", err, rein.CodeInvalid)
		_, err = s.List(t.Context(), nobody)
		wantCode(t, "list", err, rein.CodeInvalid)
	}
}

// What is too much is refused with its reason, and nothing of it is kept; what is deleted makes room.
func TestLimits(t *testing.T) {
	s, db := newShelf(t)
	big := make([]byte, shelf.MaxFile)
	_, err := s.Put(t.Context(), ann, "huge", "", io.MultiReader(bytes.NewReader(big), strings.NewReader("!")))
	wantCode(t, "a file", err, rein.CodeLimit)
	endless := &counting{}
	_, err = s.Put(t.Context(), ann, "endless", "", endless)
	wantCode(t, "an endless file", err, rein.CodeLimit)
	if endless.n > 2*shelf.MaxFile {
		t.Errorf("%d bytes were read", endless.n)
	}
	put(t, s, ann, "big0", big)
	// The others are there as far as limits know: it is the rows that count.
	check(t, db.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		for i := range 9 {
			_, err := tx.ExecContext(ctx, `INSERT INTO session_files (household, user_name, session, name, media_type, readable, size, sha256, version, created, changed, run, step, content)
				SELECT household, user_name, session, ?, media_type, readable, size, sha256, version, created, changed, run, step, ? FROM session_files WHERE name = 'big0'`, fmt.Sprint("big", i+1), fmt.Sprint("none", i))
			if err != nil {
				return err
			}
		}
		return nil
	}))
	_, err = s.Put(t.Context(), ann, "more", "", strings.NewReader("x"))
	wantCode(t, "the session", err, rein.CodeLimit)
	if !strings.Contains(err.Error(), "100 MB") {
		t.Error(err)
	}
	big[0] = 1
	put(t, s, ann, "big3", big) // in place of as much
	check(t, s.Delete(t.Context(), ann, "big4"))
	put(t, s, ann, "more", []byte("x"))

	many := rein.Place{Household: "home", User: "ann", Session: "many"}
	for i := range shelf.MaxFiles {
		put(t, s, many, fmt.Sprint(i), []byte("x"))
	}
	_, err = s.Put(t.Context(), many, "one more", "", strings.NewReader("x"))
	wantCode(t, "files", err, rein.CodeLimit)
	put(t, s, many, "7", []byte("another"))
}

type counting struct{ n int }

func (c *counting) Read(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

// An upload that is cut off leaves nothing.
func TestCutOff(t *testing.T) {
	s, _ := newShelf(t)
	broken := errors.New("the line was cut")
	_, err := s.Put(t.Context(), ann, "a", "", io.MultiReader(strings.NewReader("half"), failing{broken}))
	wantCode(t, "put", err, rein.CodeInvalid)
	if !errors.Is(err, broken) || names(t, s, ann) != "" {
		t.Error(err, names(t, s, ann))
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Uploads at once, of one name and of many, end in whole files and within the limits; who reads
// meanwhile sees one version whole.
func TestAtOnce(t *testing.T) {
	s, _ := newShelf(t)
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			content := bytes.Repeat([]byte{byte('a' + i%6)}, 1_200_000+i%6)
			if _, err := s.Put(t.Context(), ann, "same.txt", "", bytes.NewReader(content)); err != nil {
				t.Error(err)
			}
			f, got, err := s.Get(t.Context(), ann, "same.txt", 0, 0)
			sum := sha256.Sum256(got)
			if err != nil || hex.EncodeToString(sum[:]) != f.SHA256 || int64(len(got)) != f.Size {
				t.Errorf("%+v %v", f, err)
			}
		})
		wait.Go(func() {
			name := fmt.Sprintf("f%d", i)
			if _, err := s.Put(t.Context(), ann, name, "", strings.NewReader(name)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	files, err := s.List(t.Context(), ann)
	if len(files) != 13 || err != nil {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// What a tool leaves is kept in the transaction of its result: with it or not at all, and once.
func TestKeep(t *testing.T) {
	s, db := newShelf(t)
	budget := rein.DefaultBudget()
	task := rein.Task{Flow: "f", Household: "home", User: "ann", Session: "s1", Budget: &budget}
	_, _, err := db.Start(t.Context(), store.Start{Run: "r1", At: noon, Claim: true, Start: rein.RunStart{Task: task}})
	check(t, err)
	by := shelf.Origin{Run: "r1", Step: "3"}
	record := func(step rein.StepKey, commit func(context.Context, rein.Tx) error) error {
		_, err := db.Append(t.Context(), store.Batch{Run: "r1", Epoch: 1, Drafts: []store.Draft{{Kind: rein.StepDone, Step: step, At: noon, Data: rein.StepEnd{}, Commit: commit}}})
		return err
	}
	said, commit, err := shelf.Keep(ann, by, noon, rein.Artifact{Name: "../plot.svg", Type: "image/svg+xml", Data: []byte("<svg/>")})
	check(t, err)
	broken := errors.New("no")
	err = record("2", func(ctx context.Context, tx rein.Tx) error { return errors.Join(commit(ctx, tx), broken) })
	if !errors.Is(err, broken) || names(t, s, ann) != "" {
		t.Error(err, names(t, s, ann))
	}
	check(t, record("3", func(ctx context.Context, tx rein.Tx) error { return errors.Join(commit(ctx, tx), commit(ctx, tx)) }))
	files, err := s.List(t.Context(), ann)
	check(t, err)
	sum := sha256.Sum256([]byte("<svg/>"))
	want := []rein.File{{Name: "plot.svg", Type: "image/svg+xml", Text: true, Size: 6, SHA256: hex.EncodeToString(sum[:]), Version: 1, Created: noon, Changed: noon, Run: "r1", Step: "3"}}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
	if want := (rein.Artifact{Name: "plot.svg", Type: "image/svg+xml", Size: 6, SHA256: sum}); !cmp.Equal(said, want) {
		t.Errorf("it says %+v", said)
	}
	_, _, err = shelf.Keep(rein.Place{User: "ann"}, by, noon, rein.Artifact{Name: "x"})
	wantCode(t, "no session", err, rein.CodeInvalid)
	_, _, err = shelf.Keep(ann, by, noon, rein.Artifact{Name: "x", Data: make([]byte, shelf.MaxFile+1)})
	wantCode(t, "too large", err, rein.CodeLimit)
}

// Files are in a backup, and nothing of a session's files is left in the tables when it is cleared.
func TestBackupAndErase(t *testing.T) {
	s, db := newShelf(t)
	put(t, s, ann, "a.txt", bytes.Repeat([]byte("x"), 600_000))
	copied := filepath.Join(t.TempDir(), "copy.db")
	check(t, db.Backup(t.Context(), copied))
	reader, err := sqlite.OpenReader(t.Context(), copied)
	check(t, err)
	defer reader.Close()
	if got := names(t, shelf.Shelf{Tables: reader}, ann); got != "a.txt v1 600000" {
		t.Error(got)
	}
	check(t, s.Delete(t.Context(), ann, "a.txt"))
	if left := parts(t, db); left != 0 {
		t.Errorf("%d parts are left", left)
	}
}

func parts(t *testing.T, db *sqlite.Store) (count int) {
	t.Helper()
	check(t, db.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT count(*) FROM session_file_parts`)
		if err != nil {
			return err
		}
		defer rows.Close()
		rows.Next()
		return rows.Scan(&count)
	}))
	return count
}

// A process that dies in the middle of a large upload, or of a deletion, leaves parts that no file
// names: nobody sees them, and a sweep takes them away once no upload can be using them.
func TestKilled(t *testing.T) {
	s, db := newShelf(t)
	kept := bytes.Repeat([]byte("k"), 1_500_000) // six parts
	put(t, s, ann, "kept", kept)
	put(t, s, ann, "gone", bytes.Repeat([]byte("g"), 1_500_000))
	dying := &dying{Tables: db, left: 2}
	dead := s
	dead.Tables = dying
	_, err := dead.Put(t.Context(), ann, "half", "", bytes.NewReader(make([]byte, 4_000_000)))
	wantCode(t, "put", err, rein.CodeUnavailable)
	dying.left = 2
	wantCode(t, "delete", dead.Delete(t.Context(), ann, "gone"), rein.CodeUnavailable)
	same := "kept v1 1500000"
	if got := names(t, s, ann); got != same || parts(t, db) != 6+8+2 {
		t.Errorf("%s; %d parts", got, parts(t, db))
	}
	check(t, s.Sweep(t.Context()))
	if parts(t, db) != 16 {
		t.Errorf("%d parts after an early sweep", parts(t, db))
	}
	s.Now = func() time.Time { return noon.Add(2 * time.Hour) }
	check(t, s.Sweep(t.Context()))
	if _, got, err := s.Get(t.Context(), ann, "kept", 0, 0); err != nil || !bytes.Equal(got, kept) || parts(t, db) != 6 {
		t.Errorf("%d parts, %v", parts(t, db), err)
	}
}

// dying is a store of a process that dies after so many writes.
type dying struct {
	store.Tables
	left int
}

func (d *dying) Write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	if d.left--; d.left < 0 {
		return rein.Errorf(rein.CodeUnavailable, "the process is dead")
	}
	return d.Tables.Write(ctx, do)
}

// An upload that is refused or replaced in the end leaves nothing of itself or of the old one.
func TestNothingLeft(t *testing.T) {
	s, db := newShelf(t)
	large := bytes.Repeat([]byte("x"), 1_500_000)
	put(t, s, ann, "a", large)
	large[0] = 'y'
	put(t, s, ann, "a", large)
	put(t, s, ann, "a", large)
	if parts(t, db) != 6 {
		t.Errorf("%d parts", parts(t, db))
	}
	put(t, s, ann, "a", []byte("small"))
	if parts(t, db) != 1 {
		t.Errorf("%d parts", parts(t, db))
	}
	cut, cancel := context.WithCancel(t.Context())
	_, err := s.Put(cut, ann, "b", "", io.MultiReader(bytes.NewReader(large), ending(cancel)))
	if err == nil || parts(t, db) != 1 || names(t, s, ann) != "a v3 5" {
		t.Errorf("%v, %d parts, %s", err, parts(t, db), names(t, s, ann))
	}
}

// ending is the end of a body, after which whoever sent it has gone.
type ending context.CancelFunc

func (e ending) Read([]byte) (int, error) {
	e()
	return 0, io.EOF
}

// A file that is read piece by piece is the whole file, from wherever it is read; one that is replaced
// meanwhile is not a mixture of both.
func TestOpen(t *testing.T) {
	s, _ := newShelf(t)
	content := make([]byte, 3<<20)
	for i := range content {
		content[i] = byte(i >> 10)
	}
	put(t, s, ann, "big", content)
	f, err := s.Open(t.Context(), ann, "big")
	check(t, err)
	check(t, iotest.TestReader(f, content))
	_, err = f.Seek(0, io.SeekStart)
	check(t, err)
	_, err = io.CopyN(io.Discard, f, 1000)
	check(t, err)
	put(t, s, ann, "big", append([]byte("new"), content...))
	_, err = io.Copy(io.Discard, f)
	wantCode(t, "a file that was replaced", err, rein.CodeConflict)
	_, err = s.Open(t.Context(), ann, "none")
	wantCode(t, "a file that is not there", err, rein.CodeNotFound)
}

// A large file is written as it comes: when its last byte is asked for, all pieces before are there, and they
// go again if it does not come. Whether it is text does not depend on where the pieces end.
//
// Attack: 23
func TestLargeFilesAreWrittenAsTheyCome(t *testing.T) {
	s, db := newShelf(t)
	for _, unit := range []string{"x", "ü", "日", "🙂"} {
		text := []byte("a" + strings.Repeat(unit, 3_000_000/len(unit)))
		f := put(t, s, ann, "text", text)
		if !f.Text || f.Size != int64(len(text)) || fmt.Sprintf("%x", sha256.Sum256(text)) != f.SHA256 {
			t.Errorf("%q: %+v", unit, f)
		}
		if _, got, err := s.Get(t.Context(), ann, "text", 0, 0); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%q came back as %d bytes (%v)", unit, len(got), err)
		}
		if f := put(t, s, ann, "cut", text[:len(text)-1]); f.Text != (len(unit) == 1) {
			t.Errorf("%q without its last byte is text: %t", unit, f.Text)
		}
	}
	before := parts(t, db)
	_, err := s.Put(t.Context(), ann, "never", "", io.MultiReader(bytes.NewReader(make([]byte, 9<<20)), looking(func() {
		if n := parts(t, db); n != before+9<<20/(256<<10) {
			t.Errorf("of 9 MB %d parts are written when the rest is asked for", n-before)
		}
	})))
	wantCode(t, "a file that does not come whole", err, rein.CodeInvalid)
	if n := parts(t, db); n != before {
		t.Errorf("%d parts are left", n-before)
	}
	_, err = s.Put(t.Context(), ann, "endless", "", looping{})
	wantCode(t, "a file without an end", err, rein.CodeLimit)
	if n := parts(t, db); n != before {
		t.Errorf("%d parts are left", n-before)
	}
}

// looking looks at something when it is read, and fails.
type looking func()

func (l looking) Read([]byte) (int, error) {
	l()
	return 0, io.ErrUnexpectedEOF
}

// looping never ends.
type looping struct{}

func (looping) Read(p []byte) (int, error) { return len(p), nil }
