// Command vuln looks for known vulnerabilities in rein's dependencies, with govulncheck. It is not
// part of make test, because it needs the vulnerability database. If it cannot reach the database
// it says so in one line and succeeds; if it finds something, it fails. GOVULNDB names another
// database.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	if err := run(context.Background(), ".", os.Getenv("GOVULNDB"), os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "vuln:", err)
		os.Exit(1)
	}
}

const (
	database = "https://vuln.go.dev"
	patience = 20 * time.Second // for the database to answer
)

// run checks packages, from the root of the repository. The arguments are govulncheck's.
func run(ctx context.Context, root, db string, out io.Writer, args []string) error {
	db = strings.TrimSuffix(cmp.Or(db, database), "/")
	if err := reachable(ctx, db); err != nil {
		fmt.Fprintf(out, "vuln: NOT CHECKED, the vulnerability database cannot be reached: %v\n", err)
		return nil
	}
	args = append([]string{"tool", "-modfile=internal/tools/go.mod", "govulncheck", "-db", db}, args...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, out, out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("govulncheck: %w", err)
	}
	return nil
}

// reachable asks the database for its index. One in a folder needs no network.
func reachable(ctx context.Context, db string) error {
	if strings.HasPrefix(db, "file:") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, db+"/index/modules.json.gz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", db, answer.Status)
	}
	return nil
}
