package verdict

import (
	"errors"
	"path"
	"strings"
	"syscall"
)

// maxLinks is how many links are followed in one path, as in Linux.
const maxLinks = 40

// follow returns where a path leads when the system opens it: links are followed, and ".." is the folder above what they lead
// to. What does not exist is taken as it is named. ok is false if that cannot be told.
func follow(name string, disk Disk) (real string, ok bool) {
	real = "/"
	links := 0
	for todo := strings.Split(name, "/"); len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		to, err := "", error(nil)
		switch part {
		case "", ".":
			continue
		case "..":
			real = path.Dir(real)
			continue
		default:
			to, err = disk.Readlink(path.Join(real, part))
		}
		switch {
		case err == nil && links < maxLinks:
			links++
			if path.IsAbs(to) {
				real = "/"
			}
			todo = append(strings.Split(to, "/"), todo...)
		case err != nil && (isMissing(err) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENAMETOOLONG)): // no link
			real = path.Join(real, part)
		default:
			return "", false
		}
	}
	return real, true
}

// real is relative for where a path leads.
func (p place) real(name string) (inside string, ok bool) {
	if p.disk == nil || p.root == "" {
		return p.relative(name)
	}
	if !path.IsAbs(name) {
		if p.dir == "" {
			return "", false
		}
		name = p.root + "/" + p.dir + "/" + name // not joined: a link before ".." leads elsewhere
	}
	root, known := follow(p.root, p.disk)
	to, ok := follow(name, p.disk)
	if !known || !ok {
		return "", false
	}
	return place{root: root, dir: "."}.relative(to)
}

// isLed reports whether a link takes a path of the workspace out of it, or to a file that is sensitive.
func (p place) isLed(name string, write bool) bool {
	inside, ok := p.relative(name)
	if !ok {
		return false
	}
	real, ok := p.real(name)
	return !ok || real != inside && hazardOf(real, write) != ""
}
