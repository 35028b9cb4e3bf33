package io.sdds.client.internal.routing;

import io.sdds.core.query.ProgramHash;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Sends programs to bricks that answered NO_PROGRAM. A brick gets one program at a time, because it keeps one
 * unfinished program of a link. Meanwhile all requests that want a program there are retried with growing pauses. So an
 * upload that ends early, because its query was cancelled or its deadline has passed, needs no successor: the next
 * request that is answered NO_PROGRAM begins again where the brick is.
 */
final class ProgramUploads {
    private final ClientNode node;
    private final Map<Peer, Upload> underWay = new HashMap<>();

    ProgramUploads(ClientNode node) {
        this.node = node;
    }

    /**
     * Retries a request because a brick lacks its program. Another brick may lack it that the brick has forwarded the
     * request to.
     */
    void wanted(Request<?> request, Peer brick) {
        byte[] program = request.program();
        if (program == null) {
            throw node.router().failBroken(request, "a brick lacks the program of a request without one");
        }
        request.trouble = "a brick lacks its program";
        Upload present = underWay.get(brick);
        boolean isFree = present == null || present.cause.isAbandoned();
        if (isFree && !request.isAbandoned() && isNamed(brick, request)) {
            Upload upload = new Upload(request, brick, program);
            underWay.put(brick, upload);
            upload.send(0);
        }
        node.router().retry(request);
    }

    /**
     * Whether the image names a brick for a request. Else the answer came from another brick, which the image has
     * learned from it.
     */
    private boolean isNamed(Peer brick, Request<?> request) {
        Image image = request.table.image();
        int partition = image.address(request);
        int primary = image.brick(partition);
        return primary < 0
                || node.peers().ofBrick(primary) == brick
                || Arrays.stream(image.backups(partition))
                        .anyMatch(backup -> node.peers().ofBrick(backup) == brick);
    }

    /** A program on its way to a brick, one part behind the other. */
    private final class Upload implements ProgramRequest.Progress {
        private final Request<?> cause;
        private final Peer brick;
        private final byte[] program;
        private final ProgramHash hash;

        /** Where the part begins that is under way. */
        private int offset;

        Upload(Request<?> cause, Peer brick, byte[] program) {
            this.cause = cause;
            this.brick = brick;
            this.program = program;
            this.hash = ProgramHash.of(program);
        }

        void send(int from) {
            offset = from;
            ProgramRequest part = new ProgramRequest(cause, brick, program, hash, offset, this);
            node.window().enter(part.windowBytes());
            node.begin(part);
        }

        /** Goes on, unless the brick has no more than before. Then it is asked for the program again first. */
        @Override
        public void received(int bytes) {
            if (underWay.get(brick) != this) {
                return;
            }
            if (bytes > offset && bytes < program.length && !cause.isAbandoned()) {
                send(bytes);
            } else {
                ended();
            }
        }

        /**
         * The brick does not take the program, so the client evaluates it. When only the time was over, another request
         * may find the brick well.
         */
        @Override
        public void failed(Failure.Kind kind) {
            ended();
            if (kind != Failure.Kind.TIMEOUT) {
                cause.giveUpProgram();
            }
        }

        @Override
        public void ended() {
            underWay.remove(brick, this);
        }
    }
}
