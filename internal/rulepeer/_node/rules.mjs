// Reads rules as lines of JSON, and prints for each when it happens: wall times, and instants by Intl. Where clocks jump
// over a time it is read as before the jump, as Temporal does by default.
import { createInterface } from 'node:readline'
import rrule from 'rrule'

const formats = new Map()

function offset(ms, zone) {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
    })
    formats.set(zone, format)
  }
  const part = {}
  for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value)
  return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) - ms
}

function instant(wall, zone) {
  const before = offset(wall - 86400e3, zone), after = offset(wall + 86400e3, zone)
  const fits = [wall - before, wall - after].filter((ms) => ms + offset(ms, zone) === wall)
  return fits.length > 0 ? Math.min(...fits) : wall - before
}

for await (const line of createInterface({ input: process.stdin })) {
  const { start, rule, zone, from, to, most } = JSON.parse(line)
  const options = rrule.RRule.parseString(rule)
  options.dtstart = new Date(start + 'Z')
  const walls = []
  new rrule.RRule(options).between(new Date(from + 'Z'), new Date(to + 'Z'), true, (date, i) => {
    walls.push(date.getTime())
    return i + 1 < most
  })
  console.log(JSON.stringify(walls.map((ms) => [new Date(ms).toISOString().slice(0, 19), instant(ms, zone) / 1000])))
}
