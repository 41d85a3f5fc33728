package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
)

const diary = "---\ntitle: Diary\n---\nIntro ünïcode.\n# One\nfirst\n## Deep\ndeep\n# Two\nsecond\n"

// Covers: HUM-30 HUM-32
func TestRead(t *testing.T) {
	long := strings.Repeat("é", 9000)
	r := newRig(t, map[string]string{"a/diary.md": diary, "long.md": "# A\n" + long + "\n# B\nend\n", "empty.md": ""}, Options{})
	tests := []struct {
		name    string
		ask     Reading
		text    string
		section string
		start   int
	}{
		{"all", Reading{Path: "a/diary.md"}, diary, "", 0},
		{"a path in another form", Reading{Path: "./a//diary.md"}, diary, "", 0},
		{"without its ending", Reading{Path: "a/diary"}, diary, "", 0},
		{"section with what is below", Reading{Path: "a/diary.md", Section: "one"}, "# One\nfirst\n## Deep\ndeep\n", "One", 36},
		{"section by its path", Reading{Path: "a/diary.md", Section: "One > Deep"}, "## Deep\ndeep\n", "Deep", 48},
		{"last section", Reading{Path: "a/diary.md", Section: "## Two"}, "# Two\nsecond\n", "Two", 61},
		{"range of characters", Reading{Path: "a/diary.md", Start: ptr(27), End: ptr(35)}, string([]rune(diary)[27:35]), "", 27},
		{"range within a section", Reading{Path: "a/diary.md", Section: "Two", Start: ptr(2), End: ptr(5)}, "Two", "Two", 63},
		{"end beyond the text", Reading{Path: "a/diary.md", Section: "Two", Start: ptr(6), End: ptr(999)}, "second\n", "Two", 67},
		{"start beyond the text", Reading{Path: "a/diary.md", Start: ptr(999)}, "", "", 74},
		{"empty range", Reading{Path: "a/diary.md", Start: ptr(3), End: ptr(3)}, "", "", 3},
		{"empty note", Reading{Path: "empty.md"}, "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := r.Read(tt.ask)
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != tt.text || got.Section != tt.section || got.Start != tt.start || got.Clipped {
				t.Errorf("got %+v", got)
			}
			if part := string([]rune(readAll(t, r, got.Path))[got.Start:got.End]); part != got.Text {
				t.Errorf("characters %d–%d are %q", got.Start, got.End, part)
			}
			if got.Hash == "" {
				t.Error("no hash")
			}
		})
	}
}

func readAll(t *testing.T, r *rig, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Covers: HUM-33
func TestLongTextIsClippedAndSaidSo(t *testing.T) {
	r := newRig(t, map[string]string{"long.md": "# A\n" + strings.Repeat("é", 9000) + "\n# B\nend\n"}, Options{})
	for _, tt := range []struct {
		max, want int
		notices   int
	}{{0, DefaultMax, 1}, {500, 500, 1}, {1, MinMax, 2}, {99999, 9013, 1}} {
		got, err := r.Read(Reading{Path: "long.md", Max: tt.max})
		if err != nil {
			t.Fatal(err)
		}
		if n := len([]rune(got.Text)); n != tt.want || len(got.Notices) != tt.notices || got.Total != 9013 {
			t.Errorf("max %d: %d of %d characters, notices %q", tt.max, n, got.Total, got.Notices)
		}
		if clipped := tt.want < 9013; got.Clipped != clipped || clipped && got.Suggest != "B" {
			t.Errorf("max %d: clipped %v, suggests %q", tt.max, got.Clipped, got.Suggest)
		}
		if on := fmt.Sprintf("start=%d", tt.want); got.Clipped && !strings.Contains(strings.Join(got.Notices, " "), on) {
			t.Errorf("max %d: notices %q do not say to go on with %s", tt.max, got.Notices, on)
		}
	}
}

// Covers: HUM-31 HUM-32 HUM-41/notes
// Attack: 39
func TestReadRefuses(t *testing.T) {
	notes := map[string]string{
		"Open/diary.md": diary, "Open/Private/x.md": "secret", "Other/y.md": "other", ".hidden/z.md": "hidden",
		"Open/pic.png": "png", "Open/bin.md": "a\x00b", "Open/.env.md": "k=v",
	}
	outside := filepath.Join(t.TempDir(), "out.md")
	if err := os.WriteFile(outside, []byte("outside"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, notes, Options{Include: []string{"/Open/"}, Exclude: []string{"Open/Private"}})
	for link, to := range map[string]string{"Open/out.md": outside, "Open/in.md": "../Other/y.md", "Open/dir": "../Other", "Open/loop": "."} {
		if err := os.Symlink(to, filepath.Join(r.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	r.sync()
	tests := []struct {
		name string
		ask  Reading
		code rein.Code
		says string
	}{
		{"no path", Reading{}, rein.CodeInvalid, "empty"},
		{"unknown", Reading{Path: "Open/nope.md"}, rein.CodeNotFound, "no note"},
		{"in another folder", Reading{Path: "Open/sub/diary.md"}, rein.CodeNotFound, "there is Open/diary.md"},
		{"above", Reading{Path: "../out.md"}, rein.CodeForbidden, "out of the vault"},
		{"above by a detour", Reading{Path: "Open/../../out.md"}, rein.CodeForbidden, "out of the vault"},
		{"windows above", Reading{Path: `Open\..\..\out.md`}, rein.CodeForbidden, "out of the vault"},
		{"absolute", Reading{Path: outside}, rein.CodeForbidden, "out of the vault"},
		{"excluded", Reading{Path: "Open/Private/x.md"}, rein.CodeForbidden, "excluded"},
		{"excluded in capitals", Reading{Path: "OPEN/private/x.md"}, rein.CodeForbidden, "excluded"},
		{"excluded by a detour", Reading{Path: "Open/a/../Private/x.md"}, rein.CodeForbidden, "excluded"},
		{"not included", Reading{Path: "Other/y.md"}, rein.CodeForbidden, "not in an included"},
		{"hidden", Reading{Path: ".hidden/z.md"}, rein.CodeForbidden, "hidden"},
		{"hidden file", Reading{Path: "Open/.env.md"}, rein.CodeForbidden, "hidden"},
		{"link out", Reading{Path: "Open/out.md"}, rein.CodeForbidden, "link"},
		{"link to what is not included", Reading{Path: "Open/in.md"}, rein.CodeForbidden, "link"},
		{"through a linked folder", Reading{Path: "Open/dir/y.md"}, rein.CodeForbidden, "link"},
		{"through a loop", Reading{Path: "Open/loop/loop/diary.md"}, rein.CodeForbidden, "link"},
		{"no Markdown", Reading{Path: "Open/pic.png"}, rein.CodeForbidden, "not Markdown"},
		{"binary", Reading{Path: "Open/bin.md"}, rein.CodeForbidden, "binary"},
		{"a folder", Reading{Path: "Open"}, rein.CodeForbidden, "not Markdown"},
		{"the vault", Reading{Path: "."}, rein.CodeForbidden, "not Markdown"},
		{"a zero byte", Reading{Path: "Open/di\x00ary.md"}, rein.CodeForbidden, "out of the vault"},
		{"unknown section", Reading{Path: "Open/diary.md", Section: "Three"}, rein.CodeNotFound, `"One", "Deep", "Two"`},
		{"start after end", Reading{Path: "Open/diary.md", Start: ptr(5), End: ptr(4)}, rein.CodeInvalid, "after end"},
		{"negative start", Reading{Path: "Open/diary.md", Start: ptr(-1)}, rein.CodeInvalid, "negative"},
		{"negative end", Reading{Path: "Open/diary.md", End: ptr(-1)}, rein.CodeInvalid, "negative"},
		{"negative max", Reading{Path: "Open/diary.md", Max: -1}, rein.CodeInvalid, "max_chars"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := r.Read(tt.ask)
			if rein.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %+v and %v (%s)", got, err, rein.CodeOf(err))
			}
		})
	}
	// Nothing of it can be searched either.
	for _, word := range []string{"secret", "other", "hidden", "outside"} {
		if found := r.find(Query{Texts: []string{word}}); len(found.Hits) > 0 {
			t.Errorf("%q finds %v", word, paths(found))
		}
	}
}
