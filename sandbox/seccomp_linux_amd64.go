package sandbox

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_X86_64

// refusedHere are the calls that only this kind of machine has.
var refusedHere = []uint32{
	unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS, unix.SYS__SYSCTL,
	unix.SYS_CREATE_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE,
}

var modesHere = []mode{
	{unix.SYS_CHMOD, 1, -1, false}, {unix.SYS_OPEN, 2, 1, false}, {unix.SYS_CREAT, 1, -1, false}, {unix.SYS_MKNOD, 1, -1, true},
}
