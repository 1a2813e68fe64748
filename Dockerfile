# The image that docker-compose.yml builds: Node 24 runs the sources as they are.
FROM node:24.21.0-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY runtime runtime
COPY plugins plugins
COPY playbooks playbooks
COPY console console
RUN mkdir /data && chown node:node /data
USER node
ENV TOCSIN_DATA=/data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["node", "--disable-sigusr1", "--max-semi-space-size=32", "runtime/tocsin.js"]
