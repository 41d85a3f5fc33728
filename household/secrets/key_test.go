package secrets_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/household/secrets"
)

func (r *rig) keyFile() string { return filepath.Join(r.dir, secrets.KeyFile) }

// again is the box of a process that starts now.
func (r *rig) again() { r.box.Keys = secrets.NewKeys(r.dir, "") }

// The key file is made with the first secret, for its owner alone, and one that others can read is not used.
func TestKeyFileRights(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if _, err := os.Stat(r.keyFile()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("before there is a secret: %v", err)
	}
	r.put(ann, "API_KEY", "value-of-ann")
	info, err := os.Stat(r.keyFile())
	r.check(err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %o", info.Mode().Perm())
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o644, 0o660} {
		r.check(os.Chmod(r.keyFile(), mode))
		r.again()
		r.gets(ann, "API_KEY", "", rein.CodeDamaged, "open to other users", "chmod 600 "+r.keyFile())
		if err := r.box.Put(t.Context(), ann, "MORE", []byte("value")); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %o: %v", mode, err)
		}
		if err := r.box.Keys.Check(); err == nil {
			t.Errorf("mode %o: nothing is wrong", mode)
		}
		if got := r.names(ann); got != "API_KEY" { // nothing is lost
			t.Errorf("mode %o: %s", mode, got)
		}
	}
	r.check(os.Chmod(r.keyFile(), 0o400))
	r.gets(ann, "API_KEY", "value-of-ann", "")
}

// A lost key is not replaced behind anyone's back. The error names what must be typed again.
func TestLostKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.put(ann, "API_KEY", "value-of-ann")
	r.put(ann, "OTHER", "value-of-ann")
	r.put(ben, "BENS", "value-of-ben")
	kept, err := os.ReadFile(r.keyFile())
	r.check(err)
	r.check(os.Remove(r.keyFile()))
	r.again()
	r.gets(ann, "API_KEY", "", rein.CodeDamaged, "there is no key file", "Put the key back", "set again: API_KEY, OTHER")
	if _, err := r.box.Get(t.Context(), ann, "API_KEY"); strings.Contains(err.Error(), "BENS") {
		t.Errorf("ann reads what ben has: %v", err)
	}
	if err := r.box.Put(t.Context(), ann, "API_KEY", []byte("new")); err == nil || !strings.Contains(err.Error(), "rein secrets rekey") {
		t.Errorf("put: %v", err)
	}
	if got := r.names(ann); got != "API_KEY! OTHER!" {
		t.Errorf("names: %s", got)
	}
	done, err := r.box.Rekey(t.Context())
	if err != nil || done.Sealed != 0 || strings.Join(done.Lost, " ") != "home/ann/API_KEY home/ann/OTHER home/ben/BENS" {
		t.Errorf("rekey: %+v %v", done, err)
	}
	r.put(ann, "API_KEY", "typed again")
	r.gets(ann, "API_KEY", "typed again", "")
	r.gets(ann, "OTHER", "", rein.CodeDamaged, "set again: OTHER")
	r.check(os.WriteFile(r.keyFile(), append(kept, mustRead(t, r.keyFile())...), 0o600))
	r.again()
	r.gets(ann, "OTHER", "value-of-ann", "")
	r.gets(ann, "API_KEY", "typed again", "")
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A new key seals everything again, and the old one opens nothing of it. If that is cut off, both are there.
func TestRekey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.put(ann, "API_KEY", "value-of-ann")
	r.put(all, "SHARED", "value-of-all")
	old := mustRead(t, r.keyFile())

	cut := &secrets.Store{Tables: failing{r}, Keys: secrets.NewKeys(r.dir, "")}
	if _, err := cut.Rekey(t.Context()); err == nil {
		t.Fatal("it was not cut off")
	}
	r.again()
	r.gets(ann, "API_KEY", "value-of-ann", "")

	done, err := r.box.Rekey(t.Context())
	if err != nil || done.Sealed != 2 || len(done.Lost) > 0 {
		t.Errorf("rekey: %+v %v", done, err)
	}
	r.gets(ann, "API_KEY", "value-of-ann", "")
	r.again()
	r.gets(all, "SHARED", "value-of-all", "")
	r.check(os.WriteFile(r.keyFile(), old, 0o600))
	r.again()
	r.gets(all, "SHARED", "", rein.CodeDamaged, "is not in the key file")
}

// failing is tables that cannot be written.
type failing struct{ *rig }

func (f failing) Read(ctx context.Context, do func(context.Context, storeQuery) error) error {
	return f.store.Read(ctx, do)
}

func (failing) Write(context.Context, func(context.Context, rein.Tx) error) error {
	return errors.New("cut off")
}

// Nodes that name one file open each other's secrets; a file that is named must be there.
func TestNamedKeyFile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	file := filepath.Join(t.TempDir(), "shared.key")
	r.box.Keys = secrets.NewKeys(r.dir, file)
	err := r.box.Put(t.Context(), ann, "API_KEY", []byte("value-of-ann"))
	if err == nil || !strings.Contains(err.Error(), "umask 077") || r.box.Keys.Check() == nil {
		t.Errorf("without the file: %v", err)
	}
	r.check(os.WriteFile(file, []byte("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n"), 0o600))
	r.put(ann, "API_KEY", "value-of-ann")
	second := &secrets.Store{Tables: r.store, Keys: secrets.NewKeys(t.TempDir(), file)}
	if got, err := second.Get(t.Context(), ann, "API_KEY"); err != nil || string(got) != "value-of-ann" {
		t.Errorf("the second node: %q %v", got, err)
	}
	if _, err := second.Rekey(t.Context()); err != nil {
		t.Error(err)
	}
	r.gets(ann, "API_KEY", "value-of-ann", "") // the first one reads the file again
	r.put(ann, "MORE", "more-of-ann")
	if got, err := second.Get(t.Context(), ann, "MORE"); err != nil || string(got) != "more-of-ann" {
		t.Errorf("the second node: %q %v", got, err)
	}
	if _, err := os.Stat(r.keyFile()); err == nil {
		t.Error("the data folder has a key file too")
	}
}

func TestWrongKeyFiles(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.put(ann, "API_KEY", "value-of-ann")
	for text, says := range map[string]string{
		"":               "holds no key",
		"# nothing\n":    "holds no key",
		"c2hvcnQ=\n":     "line 1 is not a key",
		"\nnot base64\n": "line 2 is not a key",
	} {
		r.check(os.WriteFile(r.keyFile(), []byte(text), 0o600))
		r.again()
		r.gets(ann, "API_KEY", "", rein.CodeDamaged, says)
	}
	r.check(os.Remove(r.keyFile()))
	r.check(os.Mkdir(r.keyFile(), 0o700))
	r.again()
	r.gets(ann, "API_KEY", "", rein.CodeDamaged, "is not a file")
}
