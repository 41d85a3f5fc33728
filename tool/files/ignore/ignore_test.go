package ignore_test

import (
	"testing"

	"rein/tool/files/ignore"
	"rein/tool/files/match"
)

func TestJudge(t *testing.T) {
	top := ignore.Top(ignore.Files{
		Rules: ignore.Parse([]byte("\ufeff# comment\n*.log\r\n!keep.log\n/out\nlib/*.o\ndir/\n\\#x\nsp\\ \ntrail   \n[\n")), Repo: true,
		Exclude: ignore.Parse([]byte("local\n*.go\n")),
	})
	lib := top.Below("lib", ignore.Files{Rules: ignore.Parse([]byte("!a.log\n!b.go"))})
	repo := lib.Below("sub", ignore.Files{Repo: true})
	for _, c := range []struct {
		in     *ignore.Folder
		name   string
		folder bool
		want   match.Verdict
	}{
		{top, "a.log", false, match.Yes},
		{top, "keep.log", false, match.No},
		{top, "out", false, match.Yes},
		{lib, "out", false, match.None},
		{lib, "x.o", false, match.Yes},
		{top, "x.o", false, match.None},
		{top, "dir", true, match.Yes},
		{top, "dir", false, match.None},
		{top, "#x", false, match.Yes},
		{top, "sp ", false, match.Yes},
		{top, "trail", false, match.Yes},
		{top, "[", false, match.None},
		{lib, "a.log", false, match.No},
		{lib, "c.log", false, match.Yes},
		{top, "local", false, match.Yes},
		{lib, "local", false, match.Yes},
		{lib, "b.go", false, match.No},
		{repo, "a.log", false, match.None},
		{repo, "local", false, match.None},
	} {
		if got := c.in.Judge(c.name, c.folder); got != c.want {
			t.Errorf("%q: %v, want %v", c.name, got, c.want)
		}
	}
}
