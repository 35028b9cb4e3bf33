package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.ProgramHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The programs that fake bricks keep. A link has one unfinished program, as at real bricks. */
public final class FakeKeptPrograms {
    private final Map<Integer, Map<ProgramHash, ByteBuf>> programs = new TreeMap<>();
    private final Map<Link, Unfinished> unfinished = new HashMap<>();
    private final Map<Integer, Integer> parts = new TreeMap<>();
    private final Map<Integer, Integer> begun = new TreeMap<>();
    private final Map<Integer, Integer> misses = new TreeMap<>();

    private record Unfinished(int brick, ProgramHash hash, ByteBuf bytes) {}

    /** Takes a part of a program; returns the number of bytes that the brick has. */
    int take(int brick, Link link, ByteBuf body) {
        parts.merge(brick, 1, Integer::sum);
        ProgramHash hash = ProgramHash.read(body, body.readerIndex());
        int length = body.getIntLE(body.readerIndex() + RequestFrame.PROGRAM_LENGTH);
        int offset = body.getIntLE(body.readerIndex() + RequestFrame.PROGRAM_OFFSET);
        if (of(brick).containsKey(hash)) {
            return length;
        }
        Unfinished present = unfinished.get(link);
        if (present == null || !present.hash.equals(hash)) {
            present = new Unfinished(brick, hash, Unpooled.buffer());
            unfinished.put(link, present);
            begun.merge(brick, 1, Integer::sum);
        }
        if (offset == present.bytes.readableBytes()) {
            present.bytes.writeBytes(body.skipBytes(RequestFrame.PROGRAM_BODY));
        }
        if (present.bytes.readableBytes() == length) {
            unfinished.remove(link);
            byte[] all = new byte[length];
            present.bytes.getBytes(0, all);
            if (!ProgramHash.of(all).equals(hash)) {
                throw new AssertionError("a program that does not have its hash");
            }
            of(brick).put(hash, present.bytes);
        }
        return present.bytes.readableBytes();
    }

    ByteBuf find(int brick, ByteBuf hash) {
        ByteBuf program = of(brick).get(ProgramHash.read(hash, hash.readerIndex()));
        if (program == null) {
            misses.merge(brick, 1, Integer::sum);
            throw new FakePrograms.Failed(Status.NO_PROGRAM, "");
        }
        return program.slice();
    }

    private Map<ProgramHash, ByteBuf> of(int brick) {
        return programs.computeIfAbsent(brick, number -> new HashMap<>());
    }

    /** Drops the programs of a brick, also the unfinished ones. */
    public void forget(int brick) {
        programs.remove(brick);
        unfinished.values().removeIf(each -> each.brick == brick);
    }

    /** Number of the programs that a brick keeps. */
    public int count(int brick) {
        return of(brick).size();
    }

    /** The lengths of the programs that a brick keeps. */
    public List<Integer> bytes(int brick) {
        return of(brick).values().stream().map(ByteBuf::readableBytes).toList();
    }

    /** Number of the parts that a brick got. */
    public int parts(int brick) {
        return parts.getOrDefault(brick, 0);
    }

    /** Number of the programs that a brick got a first part of. */
    public int begun(int brick) {
        return begun.getOrDefault(brick, 0);
    }

    /** Number of the requests that named a program that the brick does not keep. */
    public int misses(int brick) {
        return misses.getOrDefault(brick, 0);
    }
}
