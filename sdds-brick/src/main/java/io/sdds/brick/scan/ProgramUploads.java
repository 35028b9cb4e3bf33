package io.sdds.brick.scan;

import io.netty.buffer.Unpooled;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.query.KeptProgram;
import io.sdds.brick.query.KeptPrograms;
import io.sdds.brick.query.ProgramLoader;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.ProgramHash;
import io.sdds.core.query.UnsupportedProgram;
import io.sdds.core.stage.Stage;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the parts of programs that clients send to the brick, at one stage. Each part is answered with the number of
 * bytes that the brick has, where the client goes on. So a part that comes twice, or out of turn, does no harm. The
 * last part is answered when the program is ready: it is read in slices of background work, after its hash was
 * compared. A link has one unfinished program.
 */
public final class ProgramUploads implements Stage.Background {
    /** Most bytes of the unfinished programs of a stage. The one that waits longest for its next part is dropped. */
    static final int BYTES_MAX = 32 << 20;

    /** Time after which an unfinished program is dropped that gets no part. */
    static final long IDLE_NANOS = 10_000_000_000L;

    /** Work of a slice, in about nanoseconds. */
    private static final int SLICE_WORK = 100_000;

    /** Most copies of the last part that wait for the program to be ready. */
    private static final int WAITING_MAX = 4;

    private final Replies replies;
    private final Env env;
    private final Stage stage;
    private final KeptPrograms kept;
    private final Parked.Rerun again;
    private final int busyHintMillis;

    /** The one that got a part last at the end. */
    private final Map<Link, Upload> uploads = new LinkedHashMap<>();

    private long bytes;
    private boolean queued;

    private static final class Upload {
        final ProgramHash hash;
        final int length;
        final List<byte[]> parts = new ArrayList<>();
        final MessageDigest digest = ProgramHash.digest();
        final Parked waiting;
        int received;
        long heardNanos;

        /** Reads the program when it is whole. */
        @Nullable
        ProgramLoader loader;

        byte failure;
        String why = "";

        Upload(ProgramHash hash, int length, Env env) {
            this.hash = hash;
            this.length = length;
            this.waiting = new Parked(env, WAITING_MAX);
        }

        boolean isWhole() {
            return received == length;
        }

        void fail(byte status, String reason) {
            failure = status;
            why = reason;
            loader = null;
        }
    }

    /** @param again runs a request that has waited */
    public ProgramUploads(StageContext context, KeptPrograms kept, Parked.Rerun again) {
        this.replies = context.replies();
        this.env = context.env();
        this.stage = context.stage();
        this.busyHintMillis = context.busyHintMillis();
        this.kept = kept;
        this.again = again;
    }

    /** Takes a PROGRAM request. */
    public void take(Request request) {
        ProgramHash hash = request.programHash();
        int length = request.programLength();
        if (kept.use(hash, env.nowNanos()) != null) {
            drop(request.link);
            replies.number(request, Status.OK, length);
            return;
        }
        Upload upload = uploads.remove(request.link);
        if (upload == null || !upload.hash.equals(hash) || upload.length != length) {
            forget(upload);
            upload = new Upload(hash, length, env);
        }
        uploads.put(request.link, upload);
        upload.heardNanos = env.nowNanos();
        if (request.programOffset() == upload.received && !upload.isWhole()) {
            append(upload, request.programPart());
        }
        answer(upload, request);
    }

    private void append(Upload upload, byte[] part) {
        upload.parts.add(part);
        upload.digest.update(part);
        upload.received += part.length;
        bytes += part.length;
        while (bytes > BYTES_MAX) {
            drop(uploads.keySet().iterator().next());
        }
        if (!upload.isWhole()) {
            return;
        }
        if (ProgramHash.of(upload.digest).equals(upload.hash)) {
            upload.loader = new ProgramLoader(Unpooled.wrappedBuffer(upload.parts.toArray(new byte[0][])));
            queue();
        } else {
            upload.fail(Status.BAD_REQUEST, "the bytes of a program do not have its hash");
        }
    }

    private void answer(Upload upload, Request request) {
        if (upload.failure != 0) {
            drop(request.link);
            replies.refusal(request, upload.failure, upload.why);
        } else if (!upload.isWhole()) {
            replies.number(request, Status.OK, upload.received);
        } else if (!upload.waiting.add(request)) {
            replies.busy(request, busyHintMillis);
        }
    }

    /** Reads a part of a whole program. */
    @Override
    public boolean slice() {
        queued = false;
        for (Upload upload : uploads.values()) {
            ProgramLoader loader = upload.loader;
            if (loader != null) {
                load(upload, loader);
                break;
            }
        }
        if (uploads.values().stream().anyMatch(upload -> upload.loader != null)) {
            queue();
        }
        return false;
    }

    private void load(Upload upload, ProgramLoader loader) {
        try {
            KeptProgram program = loader.advance(SLICE_WORK);
            if (program == null) {
                return;
            }
            upload.loader = null;
            kept.keep(upload.hash, program, env.nowNanos());
        } catch (UnsupportedProgram e) {
            upload.fail(Status.UNSUPPORTED_PROGRAM, String.valueOf(e.getMessage()));
        } catch (ProtocolViolation e) {
            upload.fail(Status.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
        upload.waiting.rerun(again);
    }

    private void queue() {
        if (!queued) {
            queued = true;
            stage.background(this);
        }
    }

    /** Drops what was not used or got no part for a while, and what came over links that are down. */
    public void tick() {
        long now = env.nowNanos();
        kept.expire(now);
        for (Iterator<Map.Entry<Link, Upload>> each = uploads.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Link, Upload> entry = each.next();
            if (!entry.getKey().isUp() || now - entry.getValue().heardNanos >= IDLE_NANOS) {
                each.remove();
                forget(entry.getValue());
            }
        }
    }

    private void drop(Link link) {
        forget(uploads.remove(link));
    }

    private void forget(@Nullable Upload upload) {
        if (upload != null) {
            bytes -= upload.received;
            upload.waiting.release();
        }
    }

    /** Bytes of the unfinished programs. */
    long bytes() {
        return bytes;
    }

    /** The stage ends. */
    public void release() {
        uploads.values().forEach(upload -> upload.waiting.release());
        uploads.clear();
    }
}
