package io.sdds.client.internal.routing;

import io.sdds.core.query.ProgramHash;
import java.util.HashSet;
import java.util.Set;

/**
 * Sends programs to bricks that answered NO_PROGRAM. A program goes to a brick once at a time, however many parts of a
 * query want it. Meanwhile the requests of these parts are retried with growing pauses.
 */
final class ProgramUploads {
    private final ClientNode node;
    private final Set<Upload> underWay = new HashSet<>();

    private record Upload(Peer brick, ProgramHash hash) {}

    ProgramUploads(ClientNode node) {
        this.node = node;
    }

    /** A brick lacks the program of a request. */
    void wanted(Request<?> request, Peer brick) {
        request.trouble = "a brick lacks its program";
        byte[] program = request.program();
        ProgramHash hash = ProgramHash.of(program);
        if (underWay.add(new Upload(brick, hash))) {
            send(request, brick, program, hash, 0);
        }
    }

    private void send(Request<?> request, Peer brick, byte[] program, ProgramHash hash, int offset) {
        ProgramRequest part = new ProgramRequest(request, brick, program, hash, offset, new ProgramRequest.Progress() {
            @Override
            public void received(int bytes) {
                if (bytes < program.length) {
                    send(request, brick, program, hash, bytes);
                } else {
                    underWay.remove(new Upload(brick, hash));
                }
            }

            @Override
            public void failed() {
                underWay.remove(new Upload(brick, hash));
                request.giveUpProgram();
            }
        });
        node.window().enter(part.windowBytes());
        node.begin(part);
    }
}
