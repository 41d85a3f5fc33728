package sandbox

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// The users of boxes: numbers that no distribution gives to anybody else.
const (
	firstUser = 1_900_000_000
	users     = 200_000_000
)

// identify chooses the user of the box.
//
// A normal user stays who they are: the box has no other rights, and the files of the workspace are theirs.
//
// Root becomes a user of the box that exists nowhere else. The workspace is mounted so that its owner and
// this user are the same there (an idmapped mount): what the command writes belongs to the owner. A file
// system that cannot do this leaves the owner of the workspace as the user, unless that is root.
func (p *Process) identify(m machine, policy Policy, s *spec) error {
	s.UID, s.GID, s.Root = os.Geteuid(), os.Getegid(), m.root
	if !m.root || !s.uses(Identity) {
		return nil
	}
	s.UID = newUser(m)
	s.GID = s.UID
	if s.uses(Mount) {
		maps := &ownerMaps{user: s.UID, files: map[owner]int{}, next: firstMap}
		err := maps.attach(s.Grants)
		p.files = append(p.files, maps.open...)
		if err == nil {
			return nil
		}
		p.release()
		p.files = nil
		for i := range s.Grants {
			s.Grants[i].IDMap = 0
		}
	}
	who, err := ownerOf(policy.Workspace)
	if err != nil {
		return err
	}
	if who.uid == 0 {
		return &MissingError{Identity, "the workspace belongs to root, and its file system or the system cannot show it as the user of the box", "let another user own the workspace, or run rein as that user"}
	}
	s.UID, s.GID = who.uid, who.gid
	return nil
}

// newUser picks a user for one box.
func newUser(m machine) int {
	var b [4]byte
	_, _ = rand.Read(b[:]) // it never fails
	n := int(binary.LittleEndian.Uint32(b[:]))
	if m.users > firstUser+users {
		return firstUser + n%users
	}
	return m.users - 1 - n%max(m.users/4, 1) // in a container: the upper quarter of what it has
}

type owner struct{ uid, gid int }

func ownerOf(path string) (owner, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return owner{}, fmt.Errorf("sandbox: %s: %w", path, err)
	}
	return owner{int(st.Uid), int(st.Gid)}, nil
}

// ownerMaps makes the user namespaces that say which owner on the disk is the user of the box.
type ownerMaps struct {
	user  int
	files map[owner]int
	open  []*os.File
	next  int
}

// attach gives every grant the map of its owner. What is only read may lack it.
func (m *ownerMaps) attach(grants []grant) error {
	for i := range grants {
		g := &grants[i]
		if g.Hide {
			continue
		}
		who, err := ownerOf(g.Path)
		if err != nil {
			return err
		}
		if who.uid == m.user {
			continue
		}
		if _, ok := m.files[who]; !ok {
			f, err := mapOwner(who, m.user)
			if err != nil {
				return err
			}
			m.files[who] = m.next
			m.next++
			m.open = append(m.open, f)
		}
		g.IDMap = m.files[who]
		if err := canMap(g.Path, m.open[g.IDMap-firstMap]); err != nil {
			if g.IDMap = 0; g.Write {
				return err
			}
		}
	}
	return nil
}

// canMap tries the map on a mount that nobody sees.
func canMap(path string, userns *os.File) error {
	fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP, Userns_fd: uint64(userns.Fd())})
}

// mapOwner makes a user namespace in which the owner's number stands for the user of the box and all
// others for themselves. A namespace needs a process: this program, stopped before its first instruction.
func mapOwner(who owner, user int) (*os.File, error) {
	runtime.LockOSThread() // the thread that traces must be the one that started it
	defer runtime.UnlockOSThread()
	proc, err := os.StartProcess("/proc/self/exe", []string{initName}, &os.ProcAttr{Env: []string{}, Sys: &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER, Ptrace: true, Pdeathsig: syscall.SIGKILL,
		UidMappings: mapOne(who.uid, user), GidMappings: mapOne(who.gid, user),
	}})
	if err != nil {
		return nil, fmt.Errorf("sandbox: a user namespace for the owner of the workspace: %w", err)
	}
	f, err := os.Open(fmt.Sprintf("/proc/%d/ns/user", proc.Pid))
	_ = proc.Kill()
	_, gone := proc.Wait()
	return f, errors.Join(err, gone)
}

// mapOne maps one number to the user, and every number below the user to itself.
func mapOne(id, user int) []syscall.SysProcIDMap {
	out := []syscall.SysProcIDMap{{ContainerID: id, HostID: user, Size: 1}}
	if id > 0 {
		out = append(out, syscall.SysProcIDMap{ContainerID: 0, HostID: 0, Size: min(id, user)})
	}
	if id+1 < user {
		out = append(out, syscall.SysProcIDMap{ContainerID: id + 1, HostID: id + 1, Size: user - id - 1})
	}
	return out
}
