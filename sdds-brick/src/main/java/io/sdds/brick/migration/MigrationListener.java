package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;

/** What a stage does for its migrations. */
public interface MigrationListener {
    /** A request that waited goes its way again. */
    void rerun(Link link, ByteBuf frame);

    /** A request whose deadline has passed while it waited: it had no effect. */
    void overdue(Link link, ByteBuf frame);

    /** The next heartbeat should be sent at once. */
    void reportSoon();

    /** This brick has abandoned a split of a table: another split is asked for later. */
    void splitAbandoned(int table);
}
