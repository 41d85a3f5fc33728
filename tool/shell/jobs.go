package shell

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/sandbox"
)

// Jobs are the commands that run in the background of this process. What they write is kept in files of a folder, also
// after they have ended and after a restart, until their session is erased.
type Jobs struct {
	dir    string
	filter func(rein.Place) Filter
	ctx    context.Context
	end    context.CancelFunc

	mu      sync.Mutex
	running map[string]*job
	closed  bool
	over    sync.WaitGroup
}

// A Filter takes secrets out of a text that comes in pieces, as guard.Stream does.
type Filter interface {
	Write(piece string) string
	Close() string
}

// How many commands may run in the background at a time, and how many that have ended are kept.
const (
	maxOfSession = 8
	maxRunning   = 64
	maxKept      = 50 // of a session
)

// longestJob is how long a command may run in the background.
const longestJob = 24 * time.Hour

// NewJobs keeps the output of commands in a folder, without what the filter takes out. It makes the folder when the first
// one is started.
func NewJobs(dir string, filter func(of rein.Place) Filter) *Jobs {
	j := &Jobs{dir: dir, filter: filter, running: map[string]*job{}}
	j.ctx, j.end = context.WithCancel(context.Background())
	return j
}

// Close ends every command, and waits until nothing of them is left.
func (j *Jobs) Close() error {
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	j.end()
	j.over.Wait()
	return nil
}

// Running returns how many commands run.
func (j *Jobs) Running() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.running)
}

// A Job is a command in the background, as it is kept.
type Job struct {
	Handle  string     `json:"handle"`
	Place   rein.Place `json:"place"` // whose it is
	Run     rein.RunID `json:"run"`
	Command string     `json:"command"`
	Cwd     string     `json:"cwd"`     // relative to the workspace
	Seconds int        `json:"seconds"` // until it is ended
	Started time.Time  `json:"started"`
	Ended   time.Time  `json:"ended,omitzero"`
	Exit    int        `json:"exit"`
	Why     string     `json:"why,omitempty"` // it was ended, as in sandbox.Result
	Bytes   int64      `json:"bytes"`         // that it wrote, once it has ended
}

// A job is one of this process.
type job struct {
	Job
	log  *jobLog
	stop context.CancelFunc
	done chan struct{}
}

// start runs a command in the background.
func (j *Jobs) start(inv rein.Invocation, about Job, watch Watch, run func(context.Context, *jobLog) (*sandbox.Process, error)) (Job, error) {
	about.Place = inv.Task.Place()
	about.Run, about.Started = inv.Run, time.Now().UTC().Truncate(time.Millisecond)
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.hasRoom(about.Place); err != nil {
		return about, err
	}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return about, rein.Errorf(rein.CodeUnavailable, "the output of commands cannot be kept: %w", err)
	}
	about.Handle = j.newHandle(inv.Key)
	log, err := newJobLog(j.path(about.Handle, ".log"), j.filterOf(about.Place))
	if err != nil {
		return about, rein.Errorf(rein.CodeUnavailable, "the output of commands cannot be kept: %w", err)
	}
	ctx, stop := context.WithCancel(j.ctx)
	made := &job{Job: about, log: log, stop: stop, done: make(chan struct{})}
	err = j.write(about)
	var proc *sandbox.Process
	if err == nil {
		proc, err = run(ctx, log)
	}
	if err != nil {
		stop()
		_ = log.close()
		watched := endWatch(context.WithoutCancel(j.ctx), watch)
		return about, errors.Join(err, watched, j.remove(about.Handle))
	}
	j.running[about.Handle] = made
	j.over.Go(func() { j.follow(made, proc, watch) })
	return about, nil
}

// hasRoom refuses one command too many, and forgets old ones. It is called with mu held.
func (j *Jobs) hasRoom(of rein.Place) error {
	if j.closed {
		return rein.Errorf(rein.CodeUnavailable, "this process is shutting down")
	}
	mine := 0
	for _, running := range j.running {
		if running.Place == of {
			mine++
		}
	}
	switch {
	case mine >= maxOfSession:
		return rein.Errorf(rein.CodeLimit, "%d commands of this session run in the background: end one with stop_command first", mine)
	case len(j.running) >= maxRunning:
		return rein.Errorf(rein.CodeLimit, "%d commands run in the background, and that is the most", len(j.running))
	}
	kept, err := j.kept(of)
	for len(kept) > maxKept-1 && err == nil {
		if j.running[kept[0].Handle] == nil {
			err = j.remove(kept[0].Handle)
		}
		kept = kept[1:]
	}
	return err
}

// follow waits for the end of a command and takes down how it ended.
func (j *Jobs) follow(made *job, proc *sandbox.Process, watch Watch) {
	result, err := proc.Wait()
	made.stop()
	_ = endWatch(context.WithoutCancel(j.ctx), watch) // if it fails, what it changed is recorded without an end, by whoever looks next
	last := made.Job
	last.Ended, last.Exit, last.Why = time.Now().UTC().Truncate(time.Millisecond), result.ExitCode, result.Ended
	if err != nil {
		last.Why = err.Error()
	}
	_ = made.log.close() // what was written is there
	last.Bytes = made.log.total()
	j.mu.Lock()
	defer j.mu.Unlock()
	made.Job = last
	delete(j.running, made.Handle)
	if _, err := os.Stat(j.path(made.Handle, ".json")); err == nil { // it may have been erased
		_ = j.write(last) // without it, it looks as if it had ended with the process
	}
	close(made.done)
}

// find returns a command of a session.
func (j *Jobs) find(of rein.Place, handle string) (Job, *job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	missing := noJob(handle)
	if handle == "" || strings.Trim(handle, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return Job{}, nil, missing
	}
	if running := j.running[handle]; running != nil {
		if running.Place != of {
			return Job{}, nil, missing
		}
		return running.Job, running, nil
	}
	found, err := j.read(handle)
	if err != nil || found.Place != of {
		return Job{}, nil, missing
	}
	return found, nil, nil
}

// kept lists the commands of a session, oldest first. It is called with mu held.
func (j *Jobs) kept(of rein.Place) ([]Job, error) {
	entries, err := os.ReadDir(j.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []Job
	for _, e := range entries {
		handle, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		if found, err := j.read(handle); err == nil && (found.Place == of || of == rein.Place{}) {
			list = append(list, found)
		}
	}
	slices.SortFunc(list, func(a, b Job) int { return a.Started.Compare(b.Started) })
	return list, err
}

// List lists the commands of a session.
func (j *Jobs) List(of rein.Place) ([]Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.kept(of)
}

// stop ends a command and waits until nothing of it is left.
func (j *Jobs) stop(ctx context.Context, of rein.Place, handle string) (Job, error) {
	_, running, err := j.find(of, handle)
	if err != nil {
		return Job{}, err
	}
	if running != nil {
		running.stop()
		select {
		case <-running.done:
		case <-ctx.Done():
			return Job{}, ctx.Err()
		}
	}
	ended, _, err := j.find(of, handle)
	return ended, err
}

// isRunning reports whether a command runs.
func (j *Jobs) isRunning(handle string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.running[handle] != nil
}

// newHandle names a command. It is called with mu held.
func (j *Jobs) newHandle(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := "bg-" + hex.EncodeToString(sum[:5])
	handle := name
	for n := 2; ; n++ {
		if _, err := os.Lstat(j.path(handle, ".json")); err != nil {
			return handle
		}
		handle = name + "-" + strconv.Itoa(n)
	}
}

func (j *Jobs) path(handle, end string) string { return filepath.Join(j.dir, handle+end) }

func (j *Jobs) write(about Job) error {
	about.Command, about.Why = j.clean(about.Place, about.Command), j.clean(about.Place, about.Why)
	data, err := json.Marshal(about)
	if err != nil {
		return err
	}
	temp := j.path(about.Handle, ".tmp")
	return errors.Join(os.WriteFile(temp, data, 0o600), os.Rename(temp, j.path(about.Handle, ".json")))
}

// filterOf returns what makes the filters for the commands of a place; nil: nothing is taken out.
func (j *Jobs) filterOf(of rein.Place) func() Filter {
	if j.filter == nil {
		return nil
	}
	return func() Filter { return j.filter(of) }
}

// clean takes secrets out of a text.
func (j *Jobs) clean(of rein.Place, text string) string {
	if j.filter == nil {
		return text
	}
	f := j.filter(of)
	return f.Write(text) + f.Close()
}

func (j *Jobs) read(handle string) (about Job, err error) {
	data, err := os.ReadFile(j.path(handle, ".json"))
	if err == nil {
		err = json.Unmarshal(data, &about)
	}
	return about, err
}

// remove forgets a command that has ended.
func (j *Jobs) remove(handle string) error {
	var all error
	for _, end := range []string{".log", ".log.1", ".tmp", ".json"} { // the last one last: without it nobody finds the others
		if err := os.Remove(j.path(handle, end)); !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	return all
}

// Erase ends commands and removes what they wrote. What is gone already does not count.
func (j *Jobs) Erase(handles []string) error {
	var all error
	for _, handle := range handles {
		j.mu.Lock()
		running := j.running[handle]
		j.mu.Unlock()
		if running != nil {
			running.stop()
			<-running.done
		}
		j.mu.Lock()
		all = errors.Join(all, j.remove(handle))
		j.mu.Unlock()
	}
	return all
}
