package io.sdds.coordinator.control.member;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.base.Request;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests whose change of the map is committed and not answered yet. The client gets its answer once every live brick
 * knows the change, so that no brick answers by the earlier map afterwards. The wait for a slow brick is bounded.
 * Silent bricks are not waited for.
 */
public final class PendingMapAcks implements Reconciler {
    private static final int WAITING_MAX = 1000;

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final List<Waiting> waiting = new ArrayList<>();

    private record Waiting(Request request, long version, long sinceNanos) {}

    public PendingMapAcks(ControlContext our, BrickRegistry bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    /** Answers a request with {@link Done} when the bricks know the map of this version. */
    public void add(Request request, long version) {
        if (waiting.size() < WAITING_MAX) {
            waiting.add(new Waiting(request, version, our.env().nowNanos()));
            tick();
        } else {
            request.answer(new Done(version));
        }
    }

    /**
     * Answers the requests whose map all live bricks know, or whose wait is over. Called after each heartbeat and tick.
     */
    @Override
    public void tick() {
        if (waiting.isEmpty()) {
            return;
        }
        long known = bricks.versionKnownToAll();
        long now = our.env().nowNanos();
        waiting.removeIf(w -> {
            boolean over = w.version() <= known
                    || now - w.sinceNanos() >= our.settings().createPatienceNanos();
            if (over) {
                w.request().answer(new Done(w.version()));
            }
            return over;
        });
    }

    /** Whether any request waits. */
    public boolean anyWaits() {
        return !waiting.isEmpty();
    }

    public void onLinkDown(Link link) {
        waiting.removeIf(w -> w.request().link() == link);
    }

    @Override
    public void onNotLeading() {
        for (Waiting w : waiting) {
            w.request().refuse(Refusal.NOT_LEADER, our.log().leaderAddress());
        }
        waiting.clear();
    }
}
