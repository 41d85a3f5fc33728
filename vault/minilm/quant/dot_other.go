//go:build !amd64

package quant

func dotRows(out []int32, query, rows []int8) { dotRowsPortable(out, query, rows) }
