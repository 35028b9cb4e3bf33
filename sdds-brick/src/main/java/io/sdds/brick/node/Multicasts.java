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
 * Takes requests that were sent to all bricks of a range table (RP*N, section 2.1). If a partition of this stage has
 * the key, the request becomes a request to this partition. If every partition must answer, the request becomes one
 * request to each partition of this stage. All other requests are dropped without a reply, because another brick
 * answers them.
 */
final class Multicasts {
    /* A request that was taken for a partition is an ordinary request from then on, even if it must wait or is
     * forwarded. So it is answered whatever becomes of the partition. */

    private final Env env;
    private final BrickMap map;
    private final Tables tables;
    private final Replies replies;
    private final Parked.Rerun toPartition;

    /** @param toPartition runs a frame as if it had come to its partition */
    Multicasts(StageContext context, Parked.Rerun toPartition) {
        this.env = context.env();
        this.map = context.map();
        this.tables = context.tables();
        this.replies = context.replies();
        this.toPartition = toPartition;
    }

    /** Whether the request has become a request to a partition of this stage. Otherwise nothing is left to do. */
    boolean isForHere(Request request) {
        TableView table = map.table(request.table);
        if (table == null) {
            return false; // a brick that has a partition of the table knows the table
        }
        if (table.definition().kind() != TableKind.RANGE) {
            replies.badRequest(request, "only requests to range tables go to all bricks");
            return false;
        }
        if (request.isForEachPartition()) {
            toEach(request);
            return false;
        }
        Partition partition = tables.find(request.table, Router.partitionInMap(table, request));
        if (partition == null || !isLed(partition) || !partition.owns(request) && !isMoving(partition)) {
            return false;
        }
        request.takenBy(partition.number());
        return true;
    }

    /**
     * Whether a closed partition waits for a switch. Otherwise the partition has been merged, and its neighbour answers
     * requests for its keys.
     */
    private static boolean isMoving(Partition partition) {
        return partition.isClosed() && partition.mover() != null;
    }

    /** Of a replica group only the primary takes requests that were sent to all bricks. */
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
