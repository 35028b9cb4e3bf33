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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the parts of programs that clients send to the brick, at one stage. Each part is answered with the number of
 * bytes that the brick has, where the client goes on. So a part that comes twice, or out of turn, does no harm. The
 * last part is answered when the program is ready: it is read in slices of background work, after its hash was
 * compared. A link has one unfinished program.
 */
public final class ProgramUploads implements Stage.Background {
    /**
     * Most bytes of the unfinished programs of a stage. Beyond them the one is dropped that lacks most, so that others
     * become whole; of two that lack as much the one that began later.
     */
    static final int BYTES_MAX = 32 << 20;

    /** Time after which an unfinished program is dropped that gets no part. */
    static final long IDLE_NANOS = 10_000_000_000L;

    /** Work of a slice, in about nanoseconds. */
    private static final int SLICE_WORK = 100_000;

    /** Most copies of parts that wait for a whole program to be ready. */
    private static final int WAITING_MAX = 4;

    private final Replies replies;
    private final Env env;
    private final Stage stage;
    private final KeptPrograms kept;
    private final int busyHintMillis;
    private final Request waited = new Request();

    /** In the order in which they began. */
    private final Map<Link, Upload> uploads = new LinkedHashMap<>();

    private long bytes;
    private boolean queued;

    private static final class Upload {
        final Link link;
        final ProgramHash hash;
        final int length;
        final List<byte[]> parts = new ArrayList<>();
        final MessageDigest digest = ProgramHash.digest();

        /** Requests that are answered when the program is ready. */
        final Parked waiting;

        int received;
        long heardNanos;

        /** Bytes of its parts and of its waiting requests. */
        long bytes;

        /** Reads the program when it is whole. */
        @Nullable
        ProgramLoader loader;

        Upload(Request first, Env env) {
            this.link = first.link;
            this.hash = first.programHash();
            this.length = first.programLength();
            this.waiting = new Parked(env, WAITING_MAX);
        }

        boolean isOf(Request request) {
            return hash.equals(request.programHash()) && length == request.programLength();
        }

        int lacking() {
            return length - received;
        }

        boolean isWhole() {
            return lacking() == 0;
        }
    }

    public ProgramUploads(StageContext context, KeptPrograms kept) {
        this.replies = context.replies();
        this.env = context.env();
        this.stage = context.stage();
        this.busyHintMillis = context.busyHintMillis();
        this.kept = kept;
    }

    /** Takes a PROGRAM request. */
    public void take(Request request) {
        Upload upload = uploads.get(request.link);
        if (upload != null && !upload.isOf(request)) {
            giveUp(upload);
            upload = null;
        }
        if (upload == null && kept.use(request.programHash(), env.nowNanos()) != null) {
            replies.number(request, Status.OK, request.programLength());
            return;
        }
        if (upload == null) {
            upload = new Upload(request, env);
            uploads.put(request.link, upload);
        }
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
        addBytes(upload, part.length);
    }

    private void addBytes(Upload upload, int length) {
        upload.bytes += length;
        bytes += length;
        while (bytes > BYTES_MAX) {
            giveUp(mostLacking());
        }
    }

    private Upload mostLacking() {
        Upload most = null;
        for (Upload upload : uploads.values()) {
            most = most == null || upload.lacking() >= most.lacking() ? upload : most;
        }
        if (most == null) {
            throw new IllegalStateException(bytes + " bytes of no program");
        }
        return most;
    }

    private void answer(Upload upload, Request request) {
        if (uploads.get(upload.link) != upload) {
            replies.busy(request, busyHintMillis);
        } else if (!upload.isWhole()) {
            replies.number(request, Status.OK, upload.received);
        } else if (upload.loader == null && !load(upload)) {
            forget(upload);
            replies.badRequest(request, "the bytes of a program do not have its hash");
        } else if (upload.waiting.add(request)) {
            addBytes(upload, request.length);
        } else {
            replies.busy(request, busyHintMillis);
        }
    }

    /** Begins to read a whole program. Returns false if it does not have its hash. */
    private boolean load(Upload upload) {
        if (!ProgramHash.of(upload.digest).equals(upload.hash)) {
            return false;
        }
        upload.loader = new ProgramLoader(Unpooled.wrappedBuffer(upload.parts.toArray(new byte[0][])));
        queue();
        return true;
    }

    /** Reads a part of the whole program that began first. */
    @Override
    public boolean slice() {
        queued = false;
        for (Upload upload : uploads.values()) {
            ProgramLoader loader = upload.loader;
            if (loader != null) {
                advance(upload, loader);
                break;
            }
        }
        if (uploads.values().stream().anyMatch(upload -> upload.loader != null)) {
            queue();
        }
        return false;
    }

    private void advance(Upload upload, ProgramLoader loader) {
        try {
            KeptProgram program = loader.advance(SLICE_WORK);
            if (program != null) {
                kept.keep(upload.hash, program, env.nowNanos());
                end(upload, request -> replies.number(request, Status.OK, upload.length));
            }
        } catch (UnsupportedProgram e) {
            refuse(upload, Status.UNSUPPORTED_PROGRAM, e);
        } catch (ProtocolViolation e) {
            refuse(upload, Status.BAD_REQUEST, e);
        }
    }

    private void refuse(Upload upload, byte status, RuntimeException why) {
        end(upload, request -> replies.refusal(request, status, String.valueOf(why.getMessage())));
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
        for (Upload upload : List.copyOf(uploads.values())) {
            boolean isIdle = !upload.isWhole() && now - upload.heardNanos >= IDLE_NANOS;
            if (isIdle || !upload.link.isUp()) {
                giveUp(upload);
            }
        }
    }

    /** Drops an upload, which its client may begin again. */
    private void giveUp(Upload upload) {
        end(upload, request -> replies.busy(request, busyHintMillis));
    }

    /** Drops an upload, and answers the requests that wait for it. */
    private void end(Upload upload, Consumer<Request> answer) {
        forget(upload);
        upload.waiting.rerun((link, frame) -> {
            waited.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
            answer.accept(waited);
            stage.touched(link);
        });
        upload.waiting.release();
    }

    private void forget(Upload upload) {
        uploads.remove(upload.link);
        bytes -= upload.bytes;
    }

    /** Bytes of the unfinished programs, and of the requests that wait for them. */
    long bytes() {
        return bytes;
    }

    /** Number of the unfinished programs. */
    int size() {
        return uploads.size();
    }

    /** The stage ends. */
    public void release() {
        uploads.values().forEach(upload -> upload.waiting.release());
        uploads.clear();
        bytes = 0;
    }
}
