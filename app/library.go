package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/app/config"
	"rein/household/workspace"
	"rein/internal/digest"
	"rein/store"
	"rein/tool/notes"
	"rein/tool/reach"
	"rein/tool/shell/verdict"
	"rein/vault"
	"rein/vault/minilm"
	"rein/vault/stage"
)

// A library is the notes of a person: a vault that is searched, and a desk for changes to it.
type library struct {
	*vault.Vault
	desk *stage.Desk
	root *os.Root
	path string // where it is

	include, exclude []string // its rules, in order
}

// openLibrary opens the vault that the settings name; nil: there is none.
func (o *owner) openLibrary(ctx context.Context) (*library, error) {
	if o.settings.Notes.Vault == "" {
		return nil, nil
	}
	path, err := RealPath(o.settings.Notes.Vault)
	if err != nil {
		return nil, wrongSetting("cannot open the vault %s: %v", o.settings.Notes.Vault, err)
	}
	return o.openVault(ctx, workspace.RulesOf(defaultPlace(o.settings)), indexFolder(o.place.Folder, path))
}

// openVault opens the vault of some rules. Its index is in the data folder, where it can always be made
// again.
func (o *owner) openVault(ctx context.Context, set workspace.Rules, index string) (_ *library, err error) {
	l := &library{include: set.Include, exclude: set.Exclude}
	if l.path, err = RealPath(set.Vault); err != nil {
		return nil, wrongSetting("cannot open the vault %s: %v", set.Vault, err)
	}
	if l.root, err = os.OpenRoot(l.path); err != nil {
		return nil, wrongSetting("cannot open the vault %s: %v", set.Vault, err)
	}
	opening := vault.Options{Root: l.root, Include: set.Include, Exclude: hidingData(set.Exclude, l.path, o.place.Folder), Index: index}
	if notice := o.addVectors(ctx, &opening); notice != "" {
		o.setup.o.Warn(notice)
	}
	if l.Vault, err = vault.Open(ctx, opening); err != nil {
		return nil, errors.Join(err, l.root.Close())
	}
	l.desk = stage.New(o.store, l.root, stage.Options{Allow: l.Allows, Lock: o.places.lockOf(l.path)})
	if err := l.desk.Recover(ctx); err != nil {
		return nil, errors.Join(err, l.close())
	}
	l.sweep(ctx)
	return l, nil
}

// hidingData excludes the data folder too, if it lies in the vault.
func hidingData(exclude []string, vault, data string) []string {
	if data, err := RealPath(data); err == nil && reach.Holds(vault, data) {
		if name, err := filepath.Rel(vault, data); err == nil {
			return append(slices.Clone(exclude), filepath.ToSlash(name))
		}
	}
	return exclude
}

// indexFolder is where the index of a vault is kept.
func indexFolder(data, vault string) string {
	return filepath.Join(data, "vaults", digest.Joined(8, vault))
}

// indexOf is where the index of a vault is kept that is not the usual one, or has other rules.
func indexOf(data string, r workspace.Rules) string {
	return indexFolder(data, strings.Join(slices.Concat([]string{r.Vault, ""}, r.Include, []string{""}, r.Exclude), "\x00"))
}

// has reports whether the library is that of the rules.
func (l *library) has(r workspace.Rules) bool {
	if l == nil {
		return false
	}
	path, err := RealPath(r.Vault)
	return err == nil && path == l.path && slices.Equal(l.include, r.Include) && slices.Equal(l.exclude, r.Exclude)
}

// Path is where the notes are; empty: there are none.
func (l *library) Path() string {
	if l == nil {
		return ""
	}
	return l.path
}

func (l *library) close() error {
	if l == nil {
		return nil
	}
	l.sweep(context.Background())
	return errors.Join(l.Vault.Close(), l.root.Close())
}

// sweepTime is how long a command may take to tidy up. What is left waits for the next.
const sweepTime = 2 * time.Second

// sweep takes away what commits left beside the notes. Few people have a service that does it: so every
// command that opens the notes does, when it comes and when it goes.
func (l *library) sweep(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	_, _ = l.desk.Sweep(ctx) // nothing depends on it; a service tells what is wrong
}

// addVectors says what makes vectors of notes: the model that the settings name, or the built-in one.
// If it cannot be used notes are found by words, and the notice says why.
func (o *owner) addVectors(ctx context.Context, to *vault.Options) (notice string) {
	switch {
	case !o.settings.Notes.Vectors:
		return ""
	case o.settings.Embedder != "":
		made, err := o.setup.newEmbedder(o.settings, o.setup.variables(o.settings), o.worker.Pace)
		if err == nil {
			made.Charge, made.Owner = o.charge, searcher
			to.Embedder, err = vault.OfModel(ctx, made)
		}
		if err != nil {
			to.Embedder = nil
			return "notes are found by words only: " + err.Error()
		}
		return ""
	}
	m := minilm.New()
	to.Embedder, to.Windows, to.Brief = m, m.Parts, m.Brief
	return ""
}

// searcher says whose turns the vectors of notes take: of who searches, or of the household for its index.
func searcher(ctx context.Context) (household, user string) {
	if who := vault.Searcher(ctx); who != "" {
		household, user, _ = strings.Cut(who, "/")
		return household, user
	}
	return rein.Host().Household, ""
}

// charge counts what vectors of notes use for the household whose notes they are.
func (o *owner) charge(ctx context.Context, a rein.Amount, reserved time.Time) error {
	return o.store.Spend(ctx, store.Spending{
		Household: rein.Host().Household, Tokens: a.Tokens, Micros: a.Micros,
		At: time.Now(), Reserve: reserved.IsZero(), Reserved: reserved,
	})
}

// noteTools makes the tools of notes. Without a library they only describe themselves: nobody is offered
// them then.
func noteTools(l *library, limits func(*rein.Task) notes.Limits) ([]rein.Tool, error) {
	var from notes.Library
	var desk *stage.Desk
	if l != nil {
		from, desk = l.Vault, l.desk
	}
	reading, err := notes.Reading(from, limits)
	if err != nil {
		return nil, err
	}
	writing, err := notes.Writing(desk, verdict.Hazard)
	all := append(reading, writing...)
	for i, t := range all {
		if l == nil { // a run that was started with notes may be resumed without
			all[i].Do = noNotes[rein.Done]
			if t.Show != nil {
				all[i].Show = noNotes[rein.Shown]
			}
			if t.Check != nil {
				all[i].Check = cannotTell
			}
		}
	}
	return all, err
}

// notesLimits is what the settings allow a search or a reading now, in every flow. A flow that has such
// limits among its own settings froze them when the run began.
func (o *owner) notesLimits(task *rein.Task) notes.Limits {
	settings, _ := o.live.now()
	limits := notesLimits(settings)
	if task == nil {
		return limits
	}
	if kind, _ := o.setup.kinds().Find(task.Flow); kind.BoundsNotes {
		return limits.Frozen(*task)
	}
	return limits
}

func notesLimits(settings *config.Config) notes.Limits {
	limits := notes.DefaultLimits()
	if raw, err := settings.NotesLimits(); err == nil && raw != nil {
		_ = json.Unmarshal(raw, &limits) // they were checked when they were read
	}
	return limits
}

// cannotTell is the Check of a tool whose notes are not here.
func cannotTell(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
	return rein.CheckUnknown, rein.Done{}, nil
}

// tidy takes away what commits left behind in the vaults that are open, now and then, until the context
// ends.
func (o *owner) tidy(log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		ticker := time.NewTicker(time.Hour)
		defer ticker.Stop()
		for {
			o.sweepAll(ctx, log)
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return nil
			}
		}
	}
}

func (o *owner) sweepAll(ctx context.Context, log *slog.Logger) {
	o.set.mu.Lock() // none is closed meanwhile
	defer o.set.mu.Unlock()
	all := []*library{}
	if o.library != nil {
		all = append(all, o.library)
	}
	for _, l := range o.places.libraries {
		all = append(all, l.library)
	}
	for _, l := range all {
		kept, err := l.desk.Sweep(ctx)
		if err != nil && ctx.Err() == nil {
			log.Warn("could not clean up next to the notes", "error", err)
		}
		for _, file := range kept {
			log.Warn("kept a file next to the notes, because somebody wrote it", "file", file)
		}
	}
}

// noNotes is the Do and the Show of a tool whose notes are not here.
func noNotes[T any](context.Context, rein.Invocation) (none T, _ error) {
	return none, rein.Errorf(rein.CodeUnavailable, "there are no notes here: name a folder of them with --vault DIR")
}

// NoteTools lists the tools of notes.
func NoteTools() []string {
	return []string{
		"append_note", "commit_staged_changes", "discard_staged_changes", "find_similar", "link_notes", "read_note",
		"render_mindmap", "staged_changes", "undo_commit", "upsert_frontmatter", "write_note",
	}
}

// hasNotes reports whether the settings name a vault.
func hasNotes(settings *config.Config) bool { return settings.Notes.Vault != "" }
