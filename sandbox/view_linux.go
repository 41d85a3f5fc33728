package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// systemFolders hold programs and libraries: every command can read and run them.
var systemFolders = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"}

// etcShown is what commands can read in /etc: what programs need to run, and nothing about this machine's
// users, services or keys.
var etcShown = []string{
	"alternatives", "bash.bashrc", "ca-certificates", "ca-certificates.conf", "crypto-policies", "debian_version", "fonts",
	"gitconfig", "host.conf", "java-11-openjdk", "java-17-openjdk", "java-21-openjdk", "ld.so.cache", "ld.so.conf", "ld.so.conf.d",
	"locale.alias", "locale.conf", "localtime", "magic", "mime.types", "nsswitch.conf", "os-release", "perl", "pki", "profile",
	"protocols", "python3", "services", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone", "xdg",
}

// devices are the files in /dev that do nothing but what every program may.
var devices = []string{"null", "zero", "full", "random", "urandom"}

// procMasked tells too much about the machine.
var procMasked = []string{
	"acpi", "asound", "config.gz", "interrupts", "kallsyms", "kcore", "key-users", "keys", "kmsg", "latency_stats", "sched_debug",
	"scsi", "sysrq-trigger", "timer_list", "timer_stats", "vmallocinfo",
}

// A view is the file system of a box while it is built. Its root is the folder new; the machine's is old.
type view struct {
	*inner
	old, new int
}

// buildView replaces the file system of this process by one with only what the policy shows.
func (in *inner) buildView() error {
	v := &view{inner: in}
	if err := v.begin(); err != nil {
		return &failure{Mount, err}
	}
	for _, step := range []func() error{v.system, v.etc, v.dev, v.proc, v.temp} {
		if err := step(); err != nil {
			return &failure{Mount, err}
		}
	}
	if err := v.grants(); err != nil { // the policy's fault, not the system's
		return err
	}
	if err := v.finish(); err != nil {
		return &failure{Mount, err}
	}
	return nil
}

// begin puts the machine's file system aside, at /old.
func (v *view) begin() error {
	if err := unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	base := "/tmp"
	if _, err := os.Stat(base); err != nil {
		base = "/usr"
	}
	if err := mountTmpfs(base, 0, "mode=0755,size=64k"); err != nil {
		return err
	}
	for _, dir := range []string{"/old", "/new"} {
		if err := unix.Mkdir(base+dir, 0o755); err != nil {
			return err
		}
	}
	if err := unix.PivotRoot(base, base+"/old"); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	if err := mountTmpfs("/new", unix.MS_NODEV, "mode=0755,size=1m,nr_inodes=4096"); err != nil {
		return err
	}
	var err error
	if v.old, err = unix.Open("/old", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	v.new, err = unix.Open("/new", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return err
}

// finish makes the new file system the only one.
func (v *view) finish() error {
	defer unix.Close(v.old)
	defer unix.Close(v.new)
	for _, path := range []string{"/new/dev", "/new"} {
		if err := unix.MountSetattr(unix.AT_FDCWD, path, 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return fmt.Errorf("make %s read-only: %w", path, err)
		}
	}
	if err := unix.Unmount("/old", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leave the machine's file system: %w", err)
	}
	if err := unix.Fchdir(v.new); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("enter the box: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	return unix.Chdir("/")
}

func mountTmpfs(path string, flags uintptr, options string) error {
	if err := unix.Mount("tmpfs", path, "tmpfs", flags|unix.MS_NOSUID, options); err != nil {
		return fmt.Errorf("a file system in memory at %s: %w", path, err)
	}
	return nil
}

// system shows the programs and libraries of the machine. Where it has links for folders, so has the box.
func (v *view) system() error {
	for _, dir := range systemFolders {
		if link, err := os.Readlink("/old" + dir); err == nil {
			if err := os.Symlink(link, "/new"+dir); err != nil {
				return err
			}
			continue
		}
		if err := v.show(grant{Path: dir}); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	return nil
}

func (v *view) etc() error {
	for _, name := range etcShown {
		path := "/etc/" + name
		if name == "gitconfig" && v.Git != "" {
			continue
		}
		if link, err := os.Readlink("/old" + path); err == nil { // such as localtime
			if err := errors.Join(os.MkdirAll(filepath.Dir("/new"+path), 0o755), os.Symlink(link, "/new"+path)); err != nil {
				return err
			}
			continue
		}
		if err := v.show(grant{Path: path}); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	files := map[string]string{
		"passwd": fmt.Sprintf("root:x:0:0:root:/:/bin/false\nbox:x:%d:%d:box:/tmp/home:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n", v.UID, v.GID),
		"group":  fmt.Sprintf("root:x:0:\nbox:x:%d:\nnogroup:x:65534:\n", v.GID),
		"hosts":  "127.0.0.1 localhost box\n::1 localhost box\n",
	}
	if v.Git != "" {
		system, _ := os.ReadFile("/old/etc/gitconfig") // most machines have none
		files["gitconfig"] = string(system) + "\n" + v.Git
	}
	if err := os.MkdirAll("/new/etc", 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile("/new/etc/"+name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if !v.Network {
		return nil
	}
	servers, err := os.ReadFile("/old/etc/resolv.conf") // often a link into /run, which the box does not show
	if err != nil {
		return nil
	}
	return os.WriteFile("/new/etc/resolv.conf", servers, 0o644)
}

func (v *view) dev() error {
	if err := os.Mkdir("/new/dev", 0o755); err != nil {
		return err
	}
	if err := mountTmpfs("/new/dev", unix.MS_NOEXEC, "mode=0755,size=64k,nr_inodes=64"); err != nil {
		return err
	}
	for _, name := range devices {
		if err := v.device(name); err != nil {
			return fmt.Errorf("/dev/%s: %w", name, err)
		}
	}
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(to, "/new/dev/"+name); err != nil {
			return err
		}
	}
	for _, name := range []string{"shm", "pts"} {
		if err := os.Mkdir("/new/dev/"+name, 0o755); err != nil {
			return err
		}
	}
	_ = unix.Mount("devpts", "/new/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620") // without it there are no terminals
	return mountTmpfs("/new/dev/shm", unix.MS_NODEV|unix.MS_NOEXEC, fmt.Sprintf("mode=0700,size=%d,nr_inodes=4096,uid=%d,gid=%d", min(v.tempSize(), 256<<20), v.UID, v.GID))
}

func (v *view) device(name string) error {
	if err := os.WriteFile("/new/dev/"+name, nil, 0o644); err != nil {
		return err
	}
	tree, err := unix.OpenTree(v.old, "dev/"+name, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_SYMLINK_NOFOLLOW)
	if err != nil {
		return err
	}
	defer unix.Close(tree)
	return unix.MoveMount(tree, "", unix.AT_FDCWD, "/new/dev/"+name, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// proc shows the processes of the box, read-only.
func (v *view) proc() error {
	if !v.uses(PID) { // those of the machine: there are no others
		return v.show(grant{Path: "/proc"})
	}
	if err := os.Mkdir("/new/proc", 0o555); err != nil {
		return err
	}
	if err := unix.Mount("proc", "/new/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("/proc of the box: %w", err)
	}
	for _, name := range procMasked {
		if err := v.hide("proc/" + name); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	return nil
}

func (v *view) tempSize() int64 {
	if v.Limits.Temp < 0 {
		return 1 << 50
	}
	return v.Limits.Temp
}

// temp makes /tmp, and the folders that programs expect beside it.
func (v *view) temp() error {
	for _, dir := range []string{"/new/tmp", "/new/var", "/new/var/tmp", "/new/run"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	for _, g := range v.Grants {
		if g.IsTemp {
			return errors.Join(v.place(g, "tmp"), v.place(g, "var/tmp"))
		}
	}
	options := fmt.Sprintf("mode=0700,size=%d,nr_inodes=200000,uid=%d,gid=%d", v.tempSize(), v.UID, v.GID)
	if err := mountTmpfs("/new/tmp", unix.MS_NODEV, options); err != nil {
		return err
	}
	if err := unix.Mount("/new/tmp", "/new/var/tmp", "", unix.MS_BIND, ""); err != nil {
		return err
	}
	if err := os.Mkdir("/new/tmp/home", 0o700); err != nil || !v.Root {
		return err
	}
	return os.Chown("/new/tmp/home", v.UID, v.GID)
}

// grants shows what the policy names, folders before what lies in them.
func (v *view) grants() error {
	for _, g := range v.Grants {
		switch {
		case g.IsTemp:
		case g.Hide:
			if err := v.hide(relative(g.Path)); err != nil && !errors.Is(err, unix.ENOENT) {
				return err
			}
		default:
			if err := v.show(g); err != nil {
				return err
			}
		}
	}
	return nil
}

func relative(path string) string { return strings.TrimPrefix(path, "/") }
