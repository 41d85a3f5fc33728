package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A cgroup counts and limits all processes of a box. It is removed when the box ends.
type cgroup struct {
	path string
	dir  *os.File
}

// findCgroup looks for a folder of the second cgroup hierarchy in which this process may make groups: its
// own, or the one above, which systemd gives to a user.
func findCgroup() (string, error) {
	root, err := cgroupRoot()
	if err != nil {
		return "", err
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	_, path, found := strings.Cut("\n"+string(own), "\n0::")
	if !found {
		return "", fmt.Errorf("this process is in no group")
	}
	path, _, _ = strings.Cut(path, "\n")
	why := error(nil)
	for _, dir := range []string{filepath.Join(root, path), filepath.Join(root, filepath.Dir(path))} {
		if why = canLimit(dir); why == nil {
			return dir, nil
		}
	}
	return "", why
}

// canLimit makes a group in a folder, and removes it.
func canLimit(dir string) error {
	have, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
	if err != nil {
		return err
	}
	for _, c := range []string{"memory", "pids"} {
		if !slices.Contains(strings.Fields(string(have)), c) {
			return fmt.Errorf("the group of this process does not pass on the controller %q", c)
		}
	}
	probe, err := os.MkdirTemp(dir, "rein-probe-")
	if err != nil {
		return err
	}
	return os.Remove(probe)
}

func cgroupRoot() (string, error) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if before, after, ok := strings.Cut(lines.Text(), " - cgroup2 "); ok && after != "" {
			return strings.Fields(before)[4], nil
		}
	}
	return "", fmt.Errorf("the second version of cgroups is not mounted")
}

func newCgroup(parent string, l Limits) (*cgroup, error) {
	path, err := os.MkdirTemp(parent, "rein-box-")
	if err != nil {
		return nil, &MissingError{Cgroup, err.Error(), ""}
	}
	g := &cgroup{path: path}
	processes := int64(l.Processes)
	if processes >= 0 {
		processes += ownThreads
	}
	for name, value := range map[string]int64{"pids.max": processes, "memory.max": l.Memory, "memory.swap.max": 0, "memory.oom.group": 1} {
		if value < 0 {
			continue
		}
		err := os.WriteFile(filepath.Join(path, name), []byte(strconv.FormatInt(value, 10)), 0)
		if err != nil && (name == "pids.max" || name == "memory.max") {
			g.remove()
			return nil, &MissingError{Cgroup, err.Error(), ""}
		}
	}
	if g.dir, err = os.Open(path); err != nil {
		g.remove()
		return nil, &MissingError{Cgroup, err.Error(), ""}
	}
	return g, nil
}

// outOfMemory reports whether the kernel killed a process of the group because all together had too much memory.
func (g *cgroup) outOfMemory() bool {
	if g == nil {
		return false
	}
	events, _ := os.ReadFile(filepath.Join(g.path, "memory.events"))
	killed, _ := number("\n"+string(events), "\noom_kill ")
	return killed > 0
}

// kill ends every process of the group.
func (g *cgroup) kill() {
	_ = os.WriteFile(filepath.Join(g.path, "cgroup.kill"), []byte("1"), 0)
}

// remove removes the group. The kernel lets it go a moment after the last process.
func (g *cgroup) remove() {
	if g.dir != nil {
		g.dir.Close()
	}
	for range 100 {
		if err := os.Remove(g.path); err == nil || os.IsNotExist(err) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
