module rein

go 1.26
