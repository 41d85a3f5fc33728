package labs

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

func TestConsecutiveOffsetsVisitAllCells(t *testing.T) {
	const cells, every, first = 23, 7, 12345
	visits := make([]int, cells)
	for offset := first; offset < first+every; offset++ {
		for i := range visits {
			if sampled(i, every, offset) {
				visits[i]++
			}
		}
	}
	for i, n := range visits {
		if n != 1 {
			t.Errorf("cell %d is visited %d times in %d runs, want once", i, n, every)
		}
	}
}

func TestCell(t *testing.T) {
	short := flag.Lookup("test.short").Value
	defer short.Set(short.String())
	for _, c := range []struct {
		short, offset string
		want          [4]bool
	}{
		{"false", "1", [4]bool{true, true, true, true}},
		{"true", "", [4]bool{true, false, true, false}},
		{"true", "1", [4]bool{false, true, false, true}},
		{"true", "-1", [4]bool{false, true, false, true}},
		{"true", "x", [4]bool{true, false, true, false}},
	} {
		t.Setenv(Offset, c.offset)
		if err := short.Set(c.short); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if got := Cell(i, 2); got != want {
				t.Errorf("short %s, offset %q: Cell(%d, 2) = %v, want %v", c.short, c.offset, i, got, want)
			}
		}
	}
}

func TestOnly(t *testing.T) {
	for _, c := range []struct {
		value string
		skips bool
	}{{"", true}, {"0", true}, {"1", false}} {
		t.Setenv(Switch, c.value)
		got := &recorder{TB: t}
		Only(got)
		if got.skipped != c.skips {
			t.Errorf("%s=%q: skipped = %v, want %v", Switch, c.value, got.skipped, c.skips)
		}
	}
}

func TestDisk(t *testing.T) {
	disk := t.TempDir()
	for _, parent := range []string{"", disk} {
		t.Setenv(DiskFolder, parent)
		var dir string
		t.Run("test", func(t *testing.T) {
			dir = Disk(t)
			if _, err := os.Stat(dir); err != nil {
				t.Error(err)
			}
		})
		if onDisk := filepath.Dir(dir) == disk; onDisk != (parent != "") {
			t.Errorf("%s=%q: the folder is %s", DiskFolder, parent, dir)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is there after the test", dir)
		}
	}
}

// recorder notes a skip instead of making it.
type recorder struct {
	testing.TB
	skipped bool
}

func (r *recorder) Skipf(string, ...any) { r.skipped = true }
