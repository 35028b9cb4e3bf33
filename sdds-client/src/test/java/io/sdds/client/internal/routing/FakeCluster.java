package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.CloseSession;
import io.sdds.core.control.ControlMessage.Coordinators;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.UpdateEvaluation;
import io.sdds.core.query.UpdateFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator and bricks that follow the protocol closely enough for a client, or a script of the test instead. There
 * is one table, {@code t}. Bricks forward requests to each other by calls.
 */
public final class FakeCluster {
    /** The result of a control script that sends no answer. */
    public static final ControlMessage SILENCE = new Done(-1);

    private static final int NOBODY = -1;

    private final Env env;
    private final Network network;
    private final int bricks;
    private final String[] addresses;
    private final List<Integer> places = new ArrayList<>();
    private final List<Long> placeVersions = new ArrayList<>();
    private final TreeMap<Long, Record> records = new TreeMap<>(Long::compareUnsigned);
    private final Map<String, byte[]> results = new HashMap<>();
    private int programs;
    private int bounds;
    private final Set<Integer> programBricks = new TreeSet<>();
    private final FakeKeptPrograms kept = new FakeKeptPrograms();
    private BooleanSupplier unsupported = () -> false;
    private final Map<Integer, List<Link>> links = new HashMap<>();
    private Script script = request -> null;
    private ControlScript controlScript = message -> null;
    private long controlDelayNanos;
    private boolean mutesNext;
    private int mute = NOBODY;
    private boolean tableExists = true;
    private int tableId = 1;
    private ClusterId id = ClusterId.UNKNOWN;
    private long version = 1;
    private long sessions;
    private static final int RECORDS_A_BLOCK = 3;

    /** The version of each record that a scan for versions answers. */
    public static final long SCANNED_VERSION = 7;

    private int requests;
    private int cancels;

    /** The network in which servers listen. */
    public interface Network {
        /** Begins to listen. Returns the address to dial. */
        String listen(String name, Hello hello, Node node);

        void unlisten(String address);
    }

    public record Record(byte[] key, byte[] value) {}

    /** Answers a request in place of a brick; null: the brick runs the request. */
    public interface Script {
        @Nullable
        Answer react(Incoming request);
    }

    /** Answers a control request in place of a coordinator or brick; null: the right answer. */
    public interface ControlScript {
        @Nullable
        ControlMessage react(ControlMessage message);
    }

    /** A request that came in. */
    public record Incoming(
            int brick,
            Link link,
            byte opcode,
            int table,
            int partition,
            long session,
            long seq,
            long low,
            int deadlineMillis) {}

    /**
     * A reply. A status of -1 means no reply; -2: the link is closed instead; -3: the request runs and the link is
     * closed.
     */
    public record Answer(int status, byte[] body) {
        public static final Answer NONE = new Answer(-1, new byte[0]);
        public static final Answer CLOSE = new Answer(-2, new byte[0]);
        public static final Answer RUN_AND_CLOSE = new Answer(-3, new byte[0]);

        public static Answer of(byte status) {
            return new Answer(status & 0xff, new byte[0]);
        }

        public static Answer busy(int hintMillis) {
            return new Answer(Status.BUSY, new byte[] {(byte) hintMillis, 0, 0, 0});
        }

        public static Answer redirect() {
            return new Answer(Status.REDIRECT, new byte[8]);
        }
    }

    /** Makes a cluster with a table whose partitions are spread over the bricks. */
    public FakeCluster(Env env, Network network, int bricks, int partitions) {
        this.env = env;
        this.network = network;
        this.bricks = bricks;
        this.addresses = new String[bricks + 1];
        startCoordinator();
        for (int number = 1; number <= bricks; number++) {
            startBrick(number);
        }
        while (places.size() < partitions) {
            split();
        }
    }

    /** The address of a brick, or with 0 of the coordinator. */
    public String address(int number) {
        return addresses[number];
    }

    public void script(Script newScript) {
        script = newScript;
    }

    public void controlScript(ControlScript newScript) {
        controlScript = newScript;
    }

    /** The process that gets the next control request answers no such request from now on. */
    public void muteNextAsked() {
        mutesNext = true;
    }

    /** Answers to control requests leave so much later from now on. */
    public void controlDelay(long nanos) {
        controlDelayNanos = nanos;
    }

    public int requests() {
        return requests;
    }

    /** Number of requests whose answers clients no longer need, as CANCEL says. */
    public int cancels() {
        return cancels;
    }

    public int records() {
        return records.size();
    }

    public int partitions() {
        return places.size();
    }

    public void put(byte[] key, byte[] value) {
        records.put(ScanOrder.point(PseudoKey.of(key)), new Record(key, value));
    }

    public byte @Nullable [] value(byte[] key) {
        Record record = records.get(ScanOrder.point(PseudoKey.of(key)));
        return record == null ? null : record.value;
    }

    public void tableExists(boolean exists) {
        tableExists = exists;
    }

    public boolean tableExists() {
        return tableExists;
    }

    /** Replaces the table by another table of the same name. */
    public void recreateTable() {
        tableId++;
        tableExists = true;
    }

    /** Adds a partition on some brick. */
    public void split() {
        version++;
        places.add(1 + env.random().nextInt(bricks));
        placeVersions.add(version);
        int parent = places.size() == 1 ? 0 : LinearHashing.parent(places.size() - 1);
        placeVersions.set(parent, version);
    }

    /** Moves a partition to another brick. */
    public void move(int partition, int brick) {
        version++;
        places.set(partition, brick);
        placeVersions.set(partition, version);
    }

    /** Number of programs that came. */
    public int programs() {
        return programs;
    }

    /** The programs that bricks keep. */
    public FakeKeptPrograms kept() {
        return kept;
    }

    /** Number of programs that came with a bound. */
    public int bounds() {
        return bounds;
    }

    /** The bricks that got programs. */
    public Set<Integer> programBricks() {
        return programBricks;
    }

    /** When bricks refuse programs as of a later version. */
    public void refuseProgramsIf(BooleanSupplier refused) {
        unsupported = refused;
    }

    public void stopBrick(int number) {
        kept.forget(number);
        network.unlisten(address(number));
        closeLinks(number);
    }

    public void startBrick(int number) {
        addresses[number] = network.listen("b" + number, hello(Hello.Role.BRICK, "b" + number, 1), new Server(number));
    }

    private void startCoordinator() {
        addresses[0] = network.listen("c1", hello(Hello.Role.COORDINATOR, "c1", 0), new Server(0));
    }

    private Hello hello(Hello.Role role, String name, long incarnation) {
        return Hello.of(role, name, incarnation).withCluster(id);
    }

    /** Ends all servers and starts them as servers of another cluster. */
    public void becomeCluster(ClusterId other) {
        id = other;
        stopCoordinator();
        startCoordinator();
        for (int number = 1; number <= bricks; number++) {
            stopBrick(number);
            startBrick(number);
        }
    }

    public void stopCoordinator() {
        network.unlisten(address(0));
        closeLinks(0);
    }

    public void closeLinks(int number) {
        List.copyOf(links.getOrDefault(number, List.of())).forEach(Link::close);
    }

    private TableMap map() {
        return new TableMap(
                new TableDefinition(
                        tableId, "t", TableSpec.of(TableKind.HASH).capacity(100).build()),
                places.size(),
                version);
    }

    /** A brick, or, with number 0, the coordinator. */
    private final class Server implements Node {
        private final int number;

        Server(int number) {
            this.number = number;
        }

        @Override
        public void onLinkUp(Link link) {
            links.computeIfAbsent(number, unknown -> new ArrayList<>()).add(link);
        }

        @Override
        public void onLinkDown(Link link, String reason) {
            links.getOrDefault(number, new ArrayList<>()).remove(link);
        }

        @Override
        public void onFrames(Link link, ByteBuf frames) {
            int length;
            for (int at = frames.readerIndex(); at < frames.writerIndex() && !link.isDown(); at += length) {
                length = frames.getIntLE(at);
                if (frames.getByte(at + 4) == Opcode.CONTROL) {
                    control(link, frames, at, length);
                } else {
                    request(link, frames, at, length);
                }
            }
            link.flush();
        }

        private void control(Link link, ByteBuf frames, int at, int length) {
            mute = mutesNext ? number : mute;
            mutesNext = false;
            ControlMessage message = ControlFrame.read(frames, at, length);
            ControlMessage answer = number == mute ? SILENCE : controlScript.react(message);
            if (answer == null) {
                answer = answer(message);
            }
            if (answer == SILENCE) {
                return;
            }
            int correlation = frames.getIntLE(at + ControlFrame.CORRELATION);
            if (controlDelayNanos == 0) {
                send(link, correlation, answer);
            } else {
                ControlMessage late = answer;
                env.schedule(controlDelayNanos, () -> {
                    send(link, correlation, late);
                    link.flush();
                });
            }
        }

        private static void send(Link link, int correlation, ControlMessage answer) {
            ControlFrame.write(link.claim(0), ControlFrame.ANSWER, correlation, answer);
            link.commit();
        }

        private void request(Link link, ByteBuf frames, int at, int length) {
            String problem = RequestFrame.problem(frames, at, length);
            if (problem != null) {
                throw new AssertionError(problem);
            }
            if (frames.getByte(at + RequestFrame.OPCODE) == Opcode.CANCEL) {
                cancels++;
                return;
            }
            requests++;
            boolean write = Opcode.isWrite(frames.getByte(at + RequestFrame.OPCODE));
            long seq = write ? frames.getLongLE(at + RequestFrame.SEQ) : 0;
            Incoming incoming = new Incoming(
                    number,
                    link,
                    frames.getByte(at + RequestFrame.OPCODE),
                    frames.getIntLE(at + RequestFrame.TABLE),
                    frames.getIntLE(at + RequestFrame.PARTITION),
                    write ? frames.getLongLE(at + RequestFrame.SESSION) : 0,
                    seq,
                    write ? seq - frames.getIntLE(at + RequestFrame.LOW_DISTANCE) : 0,
                    frames.getIntLE(at + RequestFrame.DEADLINE_MILLIS));
            Answer scripted = script.react(incoming);
            int correlation = frames.getIntLE(at + RequestFrame.CORRELATION);
            if (scripted == null) {
                run(incoming, frames, at, length, correlation);
            } else if (scripted.status >= 0) {
                reply(link, (byte) scripted.status, 0, correlation, null, scripted.body);
            } else if (scripted.equals(Answer.RUN_AND_CLOSE)) {
                run(incoming, frames, at, length, correlation);
                link.close();
            } else if (scripted.equals(Answer.CLOSE)) {
                link.close();
            }
        }
    }

    private ControlMessage answer(ControlMessage message) {
        if (message instanceof FindCoordinators) {
            return new Coordinators(List.of(address(0)));
        } else if (message instanceof FindTable find) {
            return tableExists && find.name().equals("t") ? new TableFound(map()) : noSuchTable();
        } else if (message instanceof CreateTable) {
            boolean existed = tableExists;
            tableExists = true;
            return existed ? new Refused(Refusal.TABLE_EXISTS, "table exists") : new TableFound(map());
        } else if (message instanceof DropTable drop) {
            boolean found = tableExists && (drop.table() == 0 || drop.table() == tableId);
            tableExists &= !found;
            return found ? new Done(version) : noSuchTable();
        } else if (message instanceof FetchBlock fetch) {
            return block(fetch.block());
        } else if (message instanceof OpenSession) {
            return new SessionOpened(++sessions, 60_000);
        } else if (message instanceof RenewSession || message instanceof CloseSession) {
            return new Done(version);
        }
        throw new AssertionError("unexpected " + message);
    }

    private static Refused noSuchTable() {
        return new Refused(Refusal.NO_SUCH_TABLE, "no table");
    }

    private ControlMessage block(int number) {
        if (!tableExists) {
            return noSuchTable();
        }
        int from = number * AddressBlock.SIZE;
        int to = Math.min(places.size(), from + AddressBlock.SIZE);
        List<Place> there = new ArrayList<>();
        long newest = 0;
        for (int a = from; a < to; a++) {
            there.add(new Place(places.get(a), 1, 0));
            newest = Math.max(newest, placeVersions.get(a));
        }
        return new BlockFetched(map(), new AddressBlock(tableId, number, newest, there), infos());
    }

    /** The bricks as a block names them. */
    public List<BrickInfo> infos() {
        List<BrickInfo> infos = new ArrayList<>();
        for (int brick = 1; brick <= bricks; brick++) {
            infos.add(new BrickInfo(brick, "b" + brick, 1, address(brick)));
        }
        return infos;
    }

    private void run(Incoming incoming, ByteBuf frames, int at, int length, int correlation) {
        byte opcode = incoming.opcode;
        int body = at + RequestFrame.body(opcode);
        if (opcode == Opcode.PROGRAM) {
            ByteBuf out = env.allocate(Long.BYTES)
                    .writeLongLE(kept.take(incoming.brick, incoming.link, frames.slice(body, at + length - body)));
            reply(incoming.link, Status.OK, 0, correlation, null, bytes(out, 0, Long.BYTES));
            return;
        }
        int keyLength = frames.getUnsignedShortLE(at + RequestFrame.KEY_LENGTH);
        long pseudoKey = Opcode.isInterval(opcode)
                ? ScanOrder.point(frames.getLongLE(body))
                : PseudoKey.of(frames, body, keyLength);
        int right = incoming.partition;
        int addressing = 0;
        while (true) {
            int next = LinearHashing.forwardAddress(pseudoKey, right, LinearHashing.levelOf(right, places.size()));
            if (next == right) {
                break;
            }
            right = next;
            addressing++;
        }
        if (addressing > 2) {
            throw new AssertionError(addressing + " forwards from partition " + incoming.partition);
        }
        boolean elsewhere = addressing == 0 && places.get(right) != incoming.brick;
        int hops = ReplyFrame.hops(addressing, addressing + (elsewhere ? 1 : 0));
        Integer adjustment = hops == 0 ? null : right;
        if (Opcode.isInterval(opcode)) {
            try {
                byte[] answer = interval(incoming, frames, body, at + length, right);
                reply(incoming.link, Status.OK, hops, correlation, adjustment, answer);
            } catch (FakePrograms.Failed e) {
                byte[] text = e.getMessage().getBytes(StandardCharsets.UTF_8);
                reply(incoming.link, e.status, hops, correlation, adjustment, text);
            }
        } else {
            byte[] reply = onKey(incoming, frames, body, keyLength, at + length);
            byte[] rest = new byte[reply.length - 1];
            System.arraycopy(reply, 1, rest, 0, rest.length);
            reply(incoming.link, reply[0], hops, correlation, adjustment, rest);
        }
    }

    /** Runs a request about a key. Returns status and body; the answer of a write is kept under its request id. */
    private byte[] onKey(Incoming incoming, ByteBuf frames, int body, int keyLength, int end) {
        String id = incoming.session + "." + incoming.seq;
        if (incoming.session != 0 && results.containsKey(id)) {
            return results.get(id);
        }
        byte[] key = bytes(frames, body, keyLength);
        int flags = frames.getUnsignedByte(body - RequestFrame.body(incoming.opcode) + RequestFrame.FLAGS);
        byte[] result = effect(incoming.opcode, flags, key, frames, body + keyLength, end);
        if (incoming.session != 0) {
            results.put(id, result);
        }
        return result;
    }

    private byte[] effect(byte opcode, int flags, byte[] key, ByteBuf frames, int rest, int end) {
        byte[] old = value(key);
        long point = ScanOrder.point(PseudoKey.of(key));
        switch (opcode) {
            case Opcode.GET:
                if (old == null) {
                    return new byte[] {Status.ABSENT};
                }
                return status(Status.OK, 1, (flags & RequestFrame.FLAG_TTL) == 0 ? old : forEver(old));
            case Opcode.PUT:
                put(key, bytes(frames, rest, end - rest));
                return status(Status.OK, 1, new byte[0]);
            case Opcode.PUT_IF_ABSENT:
                if (old != null) {
                    return status(Status.CONDITION_FALSE, 1, new byte[0]);
                }
                put(key, bytes(frames, rest, end - rest));
                return status(Status.OK, 1, new byte[0]);
            case Opcode.REPLACE:
                if (old == null) {
                    return status(Status.ABSENT, 0, new byte[0]);
                }
                put(key, bytes(frames, rest, end - rest));
                return status(Status.OK, 1, new byte[0]);
            case Opcode.COMPARE_AND_SET:
                int expected = frames.getIntLE(rest);
                if (old == null || !java.util.Arrays.equals(old, bytes(frames, rest + 4, expected))) {
                    return status(Status.CONDITION_FALSE, 0, new byte[0]);
                }
                put(key, bytes(frames, rest + 4 + expected, end - rest - 4 - expected));
                return status(Status.OK, 1, new byte[0]);
            case Opcode.REMOVE:
                records.remove(point);
                return status(old == null ? Status.ABSENT : Status.OK, 1, new byte[0]);
            case Opcode.INCREMENT:
                return increment(key, old, frames.getLongLE(rest));
            case Opcode.UPDATE:
                return update(key, old, frames.slice(rest, end - rest));
            default:
                throw new AssertionError("opcode " + opcode);
        }
    }

    /** The body of a record that does not expire: the time left, and the value. */
    private byte[] forEver(byte[] value) {
        ByteBuf out =
                env.allocate(8 + value.length).writeLongLE(ReplyFrame.FOR_EVER).writeBytes(value);
        return bytes(out, 0, out.readableBytes());
    }

    private byte[] update(byte[] key, byte @Nullable [] old, ByteBuf program) {
        if (old == null) {
            return status(Status.ABSENT, 0, new byte[0]);
        }
        UpdateEvaluation evaluation = new UpdateEvaluation(ProgramCodec.decode(program));
        try {
            if (!evaluation.begin(key, old, 1)) {
                return status(Status.CONDITION_FALSE, 1, new byte[0]);
            }
            if (evaluation.removes()) {
                records.remove(ScanOrder.point(PseudoKey.of(key)));
            } else {
                put(key, evaluation.value());
            }
            return status(Status.OK, 1, new byte[0]);
        } catch (UpdateFailure e) {
            return status(Status.UPDATE_FAILED, e.code(), new byte[0]);
        }
    }

    private byte[] increment(byte[] key, byte @Nullable [] old, long delta) {
        long before = 0;
        try {
            before = old == null ? 0 : Long.parseLong(new String(old, StandardCharsets.UTF_8));
        } catch (NumberFormatException e) {
            return status(Status.NOT_A_NUMBER, 0, new byte[0]);
        }
        put(key, Long.toString(before + delta).getBytes(StandardCharsets.UTF_8));
        return status(Status.OK, before + delta, new byte[0]);
    }

    private byte[] interval(Incoming incoming, ByteBuf frames, int body, int end, int right) {
        long from = frames.getLongLE(body);
        long to = ScanOrder.minEnd(
                frames.getLongLE(body + 8), ScanOrder.end(right, LinearHashing.levelOf(right, places.size())));
        byte what = incoming.opcode == Opcode.SCAN ? frames.getByte(body + 20) : RequestFrame.SCAN_COUNT;
        FakePrograms program = RequestFrame.isProgram(what)
                ? program(
                        incoming.brick,
                        places.get(right),
                        what,
                        frames.slice(body + RequestFrame.SCAN_BODY, end - body - RequestFrame.SCAN_BODY))
                : null;
        FakePrograms filter = program == null && incoming.opcode == Opcode.SCAN && end - body > RequestFrame.SCAN_BODY
                ? new FakePrograms(
                        frames.slice(body + RequestFrame.SCAN_BODY, end - body - RequestFrame.SCAN_BODY), null)
                : null;
        ByteBuf out = env.allocate(256);
        long reached = to;
        long count = 0;
        int seen = 0;
        List<Long> cleared = new ArrayList<>();
        for (Map.Entry<Long, Record> entry : records.tailMap(from, true).entrySet()) {
            if (!ScanOrder.before(entry.getKey(), to)) {
                break;
            }
            if (seen++ == RECORDS_A_BLOCK) {
                reached = entry.getKey();
                break;
            }
            cleared.add(entry.getKey());
            Record record = entry.getValue();
            if (program != null) {
                count += program.add(record.key, record.value) ? 1 : 0;
            } else if (filter == null || filter.add(record.key, record.value)) {
                count++;
                if (what != RequestFrame.SCAN_COUNT) {
                    byte[] value = what == RequestFrame.SCAN_KEYS ? new byte[0] : record.value;
                    out.writeShortLE(record.key.length).writeIntLE(value.length);
                    if (what == RequestFrame.SCAN_VERSIONED) {
                        out.writeLongLE(SCANNED_VERSION).writeLongLE(ReplyFrame.FOR_EVER);
                    }
                    out.writeBytes(record.key).writeBytes(value);
                }
            }
        }
        ByteBuf all = env.allocate(256).writeLongLE(reached);
        if (incoming.opcode == Opcode.CLEAR) {
            cleared.forEach(records::remove);
        } else {
            ByteBuf answered = program == null ? out : program.tuples();
            all.writeLongLE(count).writeBytes(answered);
        }
        return bytes(all, 0, all.readableBytes());
    }

    /** @param owner the brick that evaluates, to which the brick has forwarded the request if it is another one */
    private FakePrograms program(int brick, int owner, byte what, ByteBuf encoded) {
        programs++;
        programBricks.add(brick);
        boolean hasBound = (what & RequestFrame.SCAN_BOUND) != 0;
        ByteBuf bound = hasBound ? encoded.readSlice(encoded.readUnsignedShortLE()) : null;
        bounds += hasBound ? 1 : 0;
        if (unsupported.getAsBoolean()) {
            throw new FakePrograms.Failed(Status.UNSUPPORTED_PROGRAM, "a later version");
        }
        return new FakePrograms(RequestFrame.isKeptProgram(what) ? kept.find(owner, encoded) : encoded, bound);
    }

    private void reply(Link link, byte status, int hops, int correlation, @Nullable Integer adjustment, byte[] body) {
        int length = ReplyFrame.HEADER + (adjustment == null ? 0 : ReplyFrame.ADJUSTMENT) + body.length;
        ByteBuf out = link.claim(length);
        ReplyFrame.writeHeader(
                out, length, adjustment == null ? 0 : ReplyFrame.FLAG_ADJUSTMENT, status, hops, correlation);
        if (adjustment != null) {
            out.writeIntLE(LinearHashing.levelOf(adjustment, places.size()));
            out.writeIntLE(adjustment);
            out.writeLongLE(version);
            out.writeIntLE(places.get(adjustment));
        }
        out.writeBytes(body);
        link.commit();
    }

    private byte[] status(byte status, long result, byte[] rest) {
        ByteBuf out = env.allocate(9 + rest.length)
                .writeByte(status)
                .writeLongLE(result)
                .writeBytes(rest);
        return bytes(out, 0, out.readableBytes());
    }

    private static byte[] bytes(ByteBuf from, int index, int length) {
        byte[] bytes = new byte[length];
        from.getBytes(index, bytes);
        return bytes;
    }
}
