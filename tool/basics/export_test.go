package basics

var ZoneNames = zoneNames
