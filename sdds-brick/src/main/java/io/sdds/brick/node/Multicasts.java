package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Env;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests that went to all bricks of a range table (RP*N, section 2.1): one that is about a key of this stage's
 * partitions becomes a request to that partition, one that each partition answers for itself becomes one to each. The
 * others are dropped without a word: they are some other brick's.
 */
final class Multicasts {
    /* What was taken for a partition is from then on a request like any other, also where it waits or is sent on:
     * whatever becomes of the partition, it is answered. */

    private final Env env;
    private final BrickMap map;
    private final Tables tables;
    private final Router router;
    private final Replies replies;
    private final Parked.Rerun toPartition;

    /** @param toPartition runs a frame as if it had come to its partition */
    Multicasts(StageContext context, Router router, Parked.Rerun toPartition) {
        this.env = context.env();
        this.map = context.map();
        this.tables = context.tables();
        this.router = router;
        this.replies = context.replies();
        this.toPartition = toPartition;
    }

    void take(Request request) {
        TableView table = map.table(request.table);
        if (table == null) {
            return; // the bricks that serve it know it
        }
        if (table.definition().kind() != TableKind.RANGE) {
            replies.badRequest(request, "only requests to range tables go to all bricks");
        } else if (request.isForEachPartition()) {
            toEach(request);
        } else {
            Partition partition = tables.find(request.table, Router.right(table, request));
            if (partition != null && isLed(partition) && (partition.owns(request) || isMoving(partition))) {
                request.takenBy(partition.number());
                router.route(request);
            }
        }
    }

    /**
     * Whether it waits for a switch; else it is closed since it was merged, and its neighbour takes what is asked of
     * its keys.
     */
    private static boolean isMoving(Partition partition) {
        return partition.isClosed() && partition.mover() != null;
    }

    /** Of the members of a replica group the primary alone takes what went to all bricks. */
    private static boolean isLed(Partition partition) {
        return partition.group().leads();
    }

    private void toEach(Request request) {
        List<RangePartition> concerned = new ArrayList<>();
        tables.forEach(partition -> {
            if (partition.table() == request.table
                    && partition instanceof RangePartition range
                    && !range.isClosed()
                    && isLed(range)
                    && range.meets(request)) {
                concerned.add(range);
            }
        });
        for (RangePartition range : concerned) {
            ByteBuf frame = range.ownPart(request, env);
            toPartition.run(request.link, frame);
            frame.release();
        }
    }
}
