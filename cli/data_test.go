package cli

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"

	"rein/store/sqlite"
)

// What is in a data folder, by name.
const (
	database   = "rein.db"
	socketName = "rein.sock"
)

// makeData is a program that makes runs in a data folder: "data FOLDER STORY...".
func makeData() {
	for _, name := range os.Args[2:] {
		story, ok := stories[name]
		if !ok {
			check(fmt.Errorf("there is no story %q, but: %v", name, slices.Sorted(maps.Keys(stories))))
		}
		m := &maker{path: filepath.Join(os.Args[1], database), play: story.play}
		story.tell(m)
	}
}

// check ends the program if something went wrong.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// cmdSQL changes a database behind everyone's back: "sql FILE STATEMENT".
func cmdSQL(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(changeSQL(ts.MkAbs(args[0]), args[1]))
}

func changeSQL(path, statement string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// cmdSpoil overwrites the pages of a file, all but the first and the last.
func cmdSpoil(ts *testscript.TestScript, _ bool, args []string) {
	const page = 4096
	name := ts.MkAbs(args[0])
	data, err := os.ReadFile(name)
	ts.Check(err)
	for i := page; i < len(data)-page; i++ {
		data[i] ^= 0x55
	}
	ts.Check(os.WriteFile(name, data, 0o600))
}

// cmdOwn lets another process own a data folder until the script ends.
func cmdOwn(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(lookPath(ts, "owner"), filepath.Join(ts.MkAbs(args[0]), database))
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	ts.Check(err)
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		stdin.Close() // this is what it waits for
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		ts.Fatalf("own: %q %v", line, err)
	}
}

func lookPath(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	ts.Fatalf("no %s", name)
	return ""
}

// ownData is a program that owns a store until its input ends.
func ownData() {
	s, err := sqlite.Open(context.Background(), os.Args[1], sqlite.Options{})
	check(err)
	fmt.Println("owned")
	_, _ = io.Copy(io.Discard, os.Stdin)
	check(s.Close())
}
