package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CloseSession;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.Simulation;
import io.sdds.sim.world.SimulationFailure;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A program that speaks the protocol and sends invalid messages. It connects to a brick or a coordinator as a client or
 * as an unknown brick. It sends requests and control messages with arbitrary numbers, programs with wrong bits, frames
 * for another role, and bytes that are not frames. It may send incomplete messages, or speak as a member of a replica
 * group. It writes to no existing record. When its connection is closed, it connects again.
 */
final class Stranger implements Node {
    private static final long AGAIN_NANOS = 1_000_000;
    private static final int BURST_MAX = 20;
    private static final int BODY_MAX = 100;
    private static final int OPCODES = 64;
    private static final int FRAGMENT_BYTES_MAX = 200_000;

    /** The table of the clients, which strangers only read. */
    private static final int TABLE = 1;

    private static final byte[] PROGRAM_OPCODES = {Opcode.SCAN, Opcode.RANGE, Opcode.UPDATE};

    /** A key that no client uses, so that an update finds no record. */
    private static final byte[] NO_KEY_OF_CLIENTS = {-1, -1, -1, -1};

    private final SimEnv env;
    private final String address;
    private final SplittableRandom random;
    private final RandomRecords records;
    private final Habit habit;
    private final boolean withParity;
    private int left;

    /** Kind of messages of a stranger. */
    private enum Habit {
        /** Any messages. */
        NONSENSE,
        /** Parts of a message that never ends. */
        ENDLESS,
        /** Frames that only members of a replica group send. */
        FORGED
    }

    private Stranger(
            SimEnv env, String address, int messages, boolean withParity, SplittableRandom random, Habit habit) {
        this.env = env;
        this.address = address;
        this.left = messages;
        this.withParity = withParity;
        this.random = random;
        this.records = new RandomRecords(random);
        this.habit = habit;
    }

    /**
     * Connects a stranger to a node.
     *
     * @param withParity whether the table has parity groups
     */
    static void comes(Simulation simulation, Fault.Stranger fault, boolean withParity) {
        SimEnv env = simulation.env(Fault.Stranger.NAME, ServiceTimes.DEFAULT);
        env.isStranger(true);
        SplittableRandom random = simulation.fork("stranger at " + fault.atNanos());
        Habit habit = habit(simulation.fork("habit of the stranger at " + fault.atNanos()));
        Stranger stranger =
                new Stranger(env, SimCluster.address(fault.node()), fault.messages(), withParity, random, habit);
        env.execute(stranger::dial);
    }

    private static Habit habit(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> Habit.ENDLESS;
            case 1 -> Habit.FORGED;
            default -> Habit.NONSENSE;
        };
    }

    private void dial() {
        if (left > 0) {
            Hello.Role role = random.nextInt(4) > 0
                    ? Hello.Role.CLIENT
                    : random.nextBoolean() ? Hello.Role.BRICK : Hello.Role.BRICK_BULK;
            Hello hello = Hello.of(role, Fault.Stranger.NAME + "\nwith two lines", random.nextInt(3));
            env.dial(address, random.nextBoolean() ? hello : hello.withFeatures(0), this);
        }
    }

    @Override
    public void onLinkUp(Link link) {
        int burst = Math.min(left, random.nextInt(1, BURST_MAX));
        left -= burst;
        for (int k = 0; k < burst; k++) {
            say(link);
        }
        link.flush();
        if (left == 0) {
            env.schedule(AGAIN_NANOS, link::close);
        } else {
            env.schedule(AGAIN_NANOS * random.nextInt(1, 20), () -> {
                if (link.isUp()) {
                    onLinkUp(link);
                }
            });
        }
    }

    private void say(Link link) {
        switch (habit) {
            case NONSENSE -> nonsense(link);
            case ENDLESS -> fragment(link);
            case FORGED -> ForgedGroupFrames.write(link.claim(0), TABLE, withParity, random);
        }
        link.commit();
    }

    /** A part of a message, but never the last part. */
    private void fragment(Link link) {
        int length = 2 * Integer.BYTES + random.nextInt(FRAGMENT_BYTES_MAX / 2, FRAGMENT_BYTES_MAX);
        ByteBuf out = link.claim(length);
        out.writeIntLE(length).writeIntLE(Opcode.FRAGMENT).writeZero(length - 2 * Integer.BYTES);
    }

    private void nonsense(Link link) {
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> request(link);
            case 8 -> program(link);
            case 3, 4, 5 -> control(link);
            case 6 -> frame(link, random.nextInt(OPCODES), random.nextInt(BODY_MAX));
            default -> garbage(link);
        }
    }

    /** A frame with the length of a request and, mostly, valid parts. */
    private void request(Link link) {
        byte opcode = (byte) random.nextInt(Opcode.GET, Opcode.UPDATE + 1);
        int keyLength = random.nextInt(4) == 0 ? random.nextInt(BODY_MAX) : random.nextInt(1, 8);
        int length = RequestFrame.body(opcode) + keyLength + random.nextInt(random.nextBoolean() ? 1 : BODY_MAX);
        ByteBuf out = link.claim(length);
        int start = out.writerIndex();
        RequestFrame.writeHeader(
                out,
                length,
                opcode,
                random.nextInt(3) > 0 ? 0 : random.nextInt(256),
                random.nextInt(),
                table(opcode),
                (int) records.number(Integer.MIN_VALUE, Integer.MAX_VALUE),
                random.nextInt(10_000),
                records.number(Long.MIN_VALUE, Long.MAX_VALUE),
                keyLength);
        if (random.nextInt(4) == 0) {
            out.setByte(start + RequestFrame.HOPS, random.nextInt(256));
            out.setByte(start + RequestFrame.ADDRESSING_HOPS, random.nextInt(256));
        }
        fill(out, start + length);
    }

    /** A valid request of the clients' table with a program that may be damaged. */
    private void program(Link link) {
        byte opcode = PROGRAM_OPCODES[random.nextInt(PROGRAM_OPCODES.length)];
        boolean descends = opcode == Opcode.RANGE && random.nextBoolean();
        byte[] key = switch (opcode) {
            case Opcode.SCAN -> new byte[0];
            case Opcode.RANGE -> descends ? NO_KEY_OF_CLIENTS : new byte[1];
            default -> NO_KEY_OF_CLIENTS;
        };
        byte[] program = opcode == Opcode.UPDATE ? DamagedPrograms.ofUpdate(random) : DamagedPrograms.ofQuery(random);
        ByteBuf body = Unpooled.buffer();
        if (opcode == Opcode.UPDATE) {
            body.writeIntLE(0).writeLongLE(random.nextLong()).writeLongLE(1);
        }
        body.writeBytes(key);
        if (opcode == Opcode.SCAN) {
            body.writeLongLE(0).writeLongLE(0).writeIntLE(random.nextInt()).writeByte(RequestFrame.SCAN_PROGRAM);
        } else if (opcode == Opcode.RANGE) {
            body.writeShortLE(0).writeIntLE(random.nextInt()).writeIntLE(random.nextInt());
            body.writeByte(RequestFrame.SCAN_PROGRAM);
        }
        body.writeBytes(program);
        int length = RequestFrame.READ_BODY + body.readableBytes();
        ByteBuf out = link.claim(length);
        int flags = descends ? RequestFrame.FLAG_DESCENDING : 0;
        RequestFrame.writeHeader(out, length, opcode, flags, random.nextInt(), TABLE, 0, 1000, 0, key.length);
        out.writeBytes(body);
        body.release();
    }

    private int table(byte opcode) {
        int table = (int) records.number(Integer.MIN_VALUE, Integer.MAX_VALUE);
        return table == TABLE && Opcode.isWrite(opcode)
                ? -TABLE
                : !Opcode.isWrite(opcode) && random.nextBoolean() ? TABLE : table;
    }

    private void control(Link link) {
        List<Class<? extends ControlMessage>> types = ControlFrame.types();
        ControlMessage message = records.make(types.get(random.nextInt(types.size())));
        if (message instanceof CloseSession || message instanceof RenewSession) {
            message = new CloseSession(-1); // a session that does not exist
        }
        ControlFrame.write(link.claim(0), (byte) random.nextInt(3), random.nextInt(), message);
    }

    private void frame(Link link, int opcode, int bodyBytes) {
        int length = 2 * Integer.BYTES + bodyBytes;
        ByteBuf out = link.claim(length);
        int start = out.writerIndex();
        out.writeIntLE(length).writeIntLE(opcode);
        fill(out, start + length);
    }

    private void garbage(Link link) {
        int length = random.nextInt(1, BODY_MAX);
        ByteBuf out = link.claim(length);
        fill(out, out.writerIndex() + length);
    }

    private void fill(ByteBuf out, int end) {
        while (out.writerIndex() < end) {
            out.writeByte(random.nextBoolean() ? 0 : random.nextInt(256));
        }
    }

    /** Ignores answers, but no answer may report that the node failed at a message. */
    @Override
    public void onFrames(Link link, ByteBuf frames) {
        for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
            if (frames.getByte(at + ReplyFrame.OPCODE) == Opcode.REPLY
                    && frames.getByte(at + ReplyFrame.STATUS) == Status.INTERNAL_ERROR) {
                throw new SimulationFailure(address + " failed at what a stranger sent it");
            }
        }
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        env.schedule(AGAIN_NANOS, this::dial);
    }
}
