/** What the client is made of. Nothing here is for applications: it may change with any version. */
@NullMarked
package io.sdds.client.internal;

import org.jspecify.annotations.NullMarked;
