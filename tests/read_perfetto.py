# SPDX-License-Identifier: MIT
"""Reads a Perfetto trace with Google's protobuf library, which shares nothing with gfe's writer, and
checks what a viewer relies on.

usage: read_perfetto.py FOLDER TRACE [dump | sums]

FOLDER holds perfetto_pb2.py, made by protoc of perfetto.proto.  "dump" prints the tracks as a tree
with what is on them; "sums" prints how long the slices of each kind are altogether, as rows
"track,kind,count,ps", in the words of gfe show --as csv.  The first thing that is wrong ends it with
a message and status 1.
"""
import collections
import sys

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def wrong(text):
    sys.exit("read_perfetto.py: " + text)


class Event:
    """A packet's track event, its names looked up."""


class Slice:
    def __init__(self, event, parent):
        self.event = event
        self.parent = parent
        self.name = event.name
        self.category = event.category
        self.track = event.track
        self.notes = dict(event.notes)
        self.begin = event.notes["begin_ps"]
        self.end = None
        self.depth = 0 if parent is None else parent.depth + 1


def known(message):
    """Every field stands in the .proto, at any depth."""
    if len(message.UnknownFields()) > 0:
        wrong("a field that perfetto.proto does not have: %s %d" %
              (type(message).__name__, message.UnknownFields()[0].field_number))
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for part in value if field.label == field.LABEL_REPEATED else [value]:
                known(part)


# Slices that lie in no other, and those that lie in one of these names (if in any) or in one whose
# name begins so.
OUTERMOST = ("submission", "waits for the GPU", "GP entry")
WITHIN = {"reads pushbuffer": "GP entry", "barrier": "GP entry", "memory operation": "GP entry",
          "loads": "channel ", "methods": "channel ",
          "has to leave": "queue ", "restores waves": "queue ", "saves waves": "has to leave",
          "blocks to start": ""}

TABLES = ("event_categories", "event_names", "debug_annotation_names",
          "debug_annotation_string_values")


class Reader:
    def __init__(self, trace):
        self.tracks = {}  # uuid: descriptor
        self.names = None
        self.ever = {table: {} for table in TABLES}
        self.events = []
        self.slices = []
        self.counters = collections.defaultdict(list)
        self.forgets = 0
        for number, packet in enumerate(trace.packet):
            known(packet)
            self.packet(number, packet)

    def packet(self, number, packet):
        if packet.trusted_packet_sequence_id != 1:
            wrong("packet %d is on no sequence" % number)
        if packet.sequence_flags & 1:
            self.names = {table: {} for table in TABLES}
            self.forgets += 1
        if (number == 0) != packet.first_packet_on_sequence:
            wrong("packet %d: first_packet_on_sequence" % number)
        if self.names is None:
            wrong("the first packet does not clear the state")
        if packet.HasField("interned_data"):
            self.needs_state(number, packet)
            for table in TABLES:
                for entry in getattr(packet.interned_data, table):
                    self.define(table, entry)
        if packet.HasField("track_descriptor"):
            self.track(packet.track_descriptor)
        if packet.HasField("track_event"):
            self.needs_state(number, packet)
            self.event(number, packet)

    def needs_state(self, number, packet):
        if not packet.sequence_flags & 2:
            wrong("packet %d does not say that it needs names" % number)

    def define(self, table, entry):
        if entry.iid == 0 or entry.name == "":
            wrong("%s: an empty name or number 0" % table)
        if self.ever[table].setdefault(entry.iid, entry.name) != entry.name:
            wrong("%s: %d is '%s', then '%s'" %
                  (table, entry.iid, self.ever[table][entry.iid], entry.name))
        self.names[table][entry.iid] = entry.name

    def look_up(self, number, table, iid):
        if iid not in self.names[table]:
            wrong("packet %d: %s has no %d" % (number, table, iid))
        return self.names[table][iid]

    def track(self, track):
        if track.uuid == 0 or track.uuid in self.tracks:
            wrong("track %d is made twice" % track.uuid)
        if track.HasField("parent_uuid") and track.parent_uuid not in self.tracks:
            wrong("track %d has no parent %d" % (track.uuid, track.parent_uuid))
        self.tracks[track.uuid] = track

    def event(self, number, packet):
        message = packet.track_event
        event = Event()
        event.number = number
        event.time = packet.timestamp
        event.type = message.type
        event.track = message.track_uuid
        event.value = message.counter_value
        event.flows = list(message.flow_ids)
        event.ends = list(message.terminating_flow_ids)
        event.name = event.category = None
        if event.track not in self.tracks:
            wrong("packet %d: there is no track %d" % (number, event.track))
        if event.type in (BEGIN, INSTANT):
            event.name = self.look_up(number, "event_names", message.name_iid)
            if len(message.category_iids) != 1:
                wrong("packet %d has not one category" % number)
            event.category = self.look_up(number, "event_categories", message.category_iids[0])
        elif message.HasField("name_iid"):
            wrong("packet %d has a name and is neither begin nor instant" % number)
        event.notes = {}
        for note in message.debug_annotations:
            name = self.look_up(number, "debug_annotation_names", note.name_iid)
            kind = note.WhichOneof("value")
            value = getattr(note, kind)
            if kind == "string_value_iid":
                value = self.look_up(number, "debug_annotation_string_values", value)
            if kind == "pointer_value":
                value = hex(value)
            if name in event.notes:
                wrong("packet %d has two %s" % (number, name))
            event.notes[name] = value
        self.events.append(event)

    # What Perfetto's importer does: by time, packets of equal times in the order of the file; slices
    # of a track are a stack.

    def nest(self):
        self.events.sort(key=lambda event: event.time)
        stacks = collections.defaultdict(list)
        for event in self.events:
            counter = self.tracks[event.track].HasField("counter")
            if counter != (event.type == COUNTER):
                wrong("packet %d: only counts belong on a counter's track" % event.number)
            stack = stacks[event.track]
            event.slice = stack[-1] if stack else None
            if event.type == BEGIN:
                event.slice = self.begin(event, stack)
            elif event.type == END:
                self.end(event, stack)
            elif event.type == INSTANT:
                if event.time != event.notes["time_ps"] // 1000:
                    wrong("packet %d: its time is not its time_ps" % event.number)
            elif event.type == COUNTER:
                self.counters[event.track].append(event)
            else:
                wrong("packet %d has no type" % event.number)
        for track, stack in stacks.items():
            if stack:
                wrong("'%s' on %s does not end" % (stack[-1].name, self.path(track)))

    def begin(self, event, stack):
        if event.time != event.notes["begin_ps"] // 1000:
            wrong("packet %d: its time is not its begin_ps" % event.number)
        piece = Slice(event, stack[-1] if stack else None)
        if piece.parent and piece.begin < piece.parent.begin:
            wrong("packet %d: '%s' begins before '%s', in which it lies" %
                  (event.number, piece.name, piece.parent.name))
        if piece.parent and (piece.name in OUTERMOST or
                             not piece.parent.name.startswith(WITHIN.get(piece.name, "-"))):
            wrong("packet %d: '%s' lies in '%s'" % (event.number, piece.name, piece.parent.name))
        stack.append(piece)
        self.slices.append(piece)
        return piece

    def end(self, event, stack):
        if not stack:
            wrong("packet %d ends nothing on %s" % (event.number, self.path(event.track)))
        piece = stack.pop()
        piece.end = piece.begin + event.notes["duration_ps"]
        piece.notes.update(event.notes)
        if event.time != piece.end // 1000:
            wrong("packet %d: '%s' on %s ends at %d ps, not where its end lies" %
                  (event.number, piece.name, self.path(event.track), piece.end))
        if piece.parent and self.last_end(piece.parent) > piece.begin:
            wrong("packet %d: '%s' on %s overlaps the one before" %
                  (event.number, piece.name, self.path(event.track)))
        if piece.parent:
            piece.parent.inner_end = piece.end

    @staticmethod
    def last_end(piece):
        return getattr(piece, "inner_end", piece.begin)

    def overlaps(self):
        """Slices lie in their parents, to the picosecond; those of no parent do not overlap."""
        ends = collections.defaultdict(int)
        for piece in self.slices:
            if piece.parent and piece.end > piece.parent.end:
                wrong("'%s' on %s ends after '%s', in which it lies" %
                      (piece.name, self.path(piece.track), piece.parent.name))
            if not piece.parent:
                if piece.begin < ends[piece.track]:
                    wrong("'%s' on %s overlaps the one before" %
                          (piece.name, self.path(piece.track)))
                ends[piece.track] = piece.end

    def flows(self):
        """Each begins once and goes on in time; whatever ends one ends one that there is."""
        self.steps = collections.defaultdict(list)
        for event in self.events:
            for flow in event.flows + event.ends:
                self.steps[flow].append((event, flow in event.ends))
        for flow, steps in self.steps.items():
            for at, (event, is_end) in enumerate(steps):
                if is_end and at == 0:
                    wrong("packet %d ends flow %x, which never began" % (event.number, flow))
                if is_end and at != len(steps) - 1:
                    wrong("packet %d ends flow %x, which goes on" % (event.number, flow))
        self.flow_kind(1, "submission", lambda event: event.type == BEGIN and
                       event.name == "submission")
        self.flow_kind(2, "operation", lambda event: event.type == INSTANT and
                       event.name in ("launch", "copy", "draw"))
        self.flow_kind(3, "release", lambda event: event.name == "NV_RELEASE")

    def flow_kind(self, kind, words, is_first):
        for flow, steps in self.steps.items():
            if flow >> 56 != kind:
                continue
            if not is_first(steps[0][0]):
                wrong("flow %x of a %s begins at '%s'" % (flow, words, steps[0][0].name))
            if kind == 2 and sum(event.category == "operation" for event, _ in steps) > 1:
                wrong("flow %x goes through two operations" % flow)

    # ---- printing ----------------------------------------------------------------------------

    def name(self, uuid):
        track = self.tracks[uuid]
        return track.name or track.process.process_name or track.thread.thread_name

    def path(self, uuid):
        track = self.tracks[uuid]
        above = self.path(track.parent_uuid) + " / " if track.HasField("parent_uuid") else ""
        return above + self.name(uuid)

    def dump(self):
        children = collections.defaultdict(list)
        for uuid, track in self.tracks.items():
            children[track.parent_uuid if track.HasField("parent_uuid") else 0].append(uuid)
        on = collections.defaultdict(list)
        for piece in self.slices:
            on[piece.track].append((piece.event, piece))
        for event in self.events:
            if event.type in (INSTANT, COUNTER):
                on[event.track].append((event, None))
        for uuid in children[0]:
            self.dump_track(uuid, children, on, 0)

    def dump_track(self, uuid, children, on, depth):
        print("%s%s" % ("  " * depth, self.name(uuid)))
        order = {event: at for at, event in enumerate(self.events)}
        for event, piece in sorted(on[uuid], key=lambda pair: order[pair[0]]):
            print("  " * (depth + 1) + self.line(event, piece))
        for child in sorted(children[uuid], key=lambda c: self.tracks[c].sibling_order_rank):
            self.dump_track(child, children, on, depth + 1)

    @staticmethod
    def words(notes):
        return "".join(" %s=%s" % (name, value) for name, value in notes.items()
                       if name not in ("begin_ps", "duration_ps", "time_ps"))

    def line(self, event, piece):
        flows = "".join(" >%x" % flow for flow in event.flows)
        flows += "".join(" |%x" % flow for flow in event.ends)
        if event.type == COUNTER:
            return "# %d ns: %d" % (event.time, event.value)
        if piece is None:
            dots = "" if event.slice is None else ". " * (event.slice.depth + 1)
            return "%s@ %d %s%s%s" % (dots, event.notes["time_ps"], event.name,
                                      self.words(event.notes), flows)
        return "%s- %d +%d %s%s%s" % (". " * piece.depth, piece.begin, piece.end - piece.begin,
                                      piece.name, self.words(piece.notes), flows)

    def sums(self):
        """Rows as in the CSV, added up by track and kind; waits by rule."""
        rows = collections.Counter()
        counts = collections.Counter()
        for piece in self.slices:
            row = self.csv_row(piece)
            if row:
                rows[row] += piece.end - piece.begin
                counts[row] += 1
        for row in sorted(rows):
            print("%s,%s,%d,%d" % (row[0], row[1], counts[row], rows[row]))

    def csv_row(self, piece):
        track, above = self.name(piece.track), ""
        if self.tracks[piece.track].HasField("parent_uuid"):
            above = self.name(self.tracks[piece.track].parent_uuid)
        if piece.category == "block":
            return above, "block"
        if piece.category == "wait":
            return "waits", piece.name
        if piece.category == "program":
            return track, {"submission": "driver_call", "waits for the GPU": "cpu_wait"}[piece.name]
        if piece.category == "operation" and not track.startswith("PCE "):
            kind = {"queued": "queued", "blocks to start": "dispatching"}.get(piece.name, "running")
            return above if track == "operations" else track, kind
        if piece.category == "schedule" and track.startswith("PBDMA "):
            return track, {"loads": "loading", "methods": "segment"}.get(piece.name, "loaded")
        if piece.category == "schedule" and track.startswith(("ACE ", "MEC2 ")):
            return track, {"loads": "loading", "has to leave": "leaving", "saves waves": "saving",
                           "restores waves": "restoring"}.get(piece.name, "loaded")
        if piece.category == "stream" and track == "packets" and piece.name != "dispatch packet":
            return above, "packet"
        return None


def main():
    sys.path.insert(0, sys.argv[1])
    import perfetto_pb2  # pylint: disable=import-error,import-outside-toplevel

    trace = perfetto_pb2.Trace()
    with open(sys.argv[2], "rb") as file:
        trace.ParseFromString(file.read())
    reader = Reader(trace)
    reader.nest()
    reader.overlaps()
    reader.flows()
    mode = sys.argv[3] if len(sys.argv) > 3 else "count"
    if mode == "dump":
        reader.dump()
    elif mode == "sums":
        reader.sums()
    else:
        print("%d tracks, %d slices, %d instants, %d flows, names forgotten %d times" %
              (len(reader.tracks), len(reader.slices),
               sum(event.type == INSTANT for event in reader.events), len(reader.steps),
               reader.forgets - 1))


main()
